"""Words of LZ Albany: areas, counters, printed facts, notations, and how orders are typed."""
