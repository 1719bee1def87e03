"""How the components of Phantom Fury are named and typed."""
