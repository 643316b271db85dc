// A selection with nothing but else.
byte x;
active proctype P() { if :: else -> x = 1 fi; do :: else -> x++; if :: x > 3 -> break :: else fi od }
