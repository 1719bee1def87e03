"""The fuzz: sessions of every game that are played through the desk by chance, and watched after every call."""
