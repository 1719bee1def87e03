"""What is printed on the cards, as the rules read it."""
