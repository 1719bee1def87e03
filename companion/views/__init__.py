"""Views: positions, entries, odds and tables become lines of text or plain data. No rule is worked out here."""
