"""The rules of LZ Albany, chapter by chapter, as procedures."""
