"""What a game is: no input, output, clock or randomness."""
