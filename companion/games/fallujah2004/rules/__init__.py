"""The rules, a module for each chapter of the rulebook or for a part of one."""
