"""The rules of LZ Albany, one module a chapter, as procedures that take the referee."""
