"""Nothing lost, whatever call of the system fails: a library in C lets each of them fail in turn, under every command.

``pytest -m long tests/faults`` runs all of it, and tells at the end how many points there were and how they came out.
"""
