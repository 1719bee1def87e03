"""What the components of Phantom Fury are called, and how that is typed."""
