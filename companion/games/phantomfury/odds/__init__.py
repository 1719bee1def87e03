"""What can be asked of chance in Phantom Fury."""
