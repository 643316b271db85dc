// else need not be the last option.
byte x;
active proctype P() { do :: else -> x = x + 3 :: x < 2 -> x++ :: x > 4 -> break od }
