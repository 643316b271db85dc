// Nested loops, each with its else, at different control states.
byte x, y;
active proctype P() { do :: x < 2 -> x++; do :: y < 2 -> y++ :: else -> break od; y = 0 :: else -> break od }
