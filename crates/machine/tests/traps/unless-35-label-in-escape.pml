// A label first in an escape, on a loop.
byte x;
active proctype P() { { x++; x++ } unless { again: do :: x == 1 -> x = 5; goto again :: x == 5 -> x = 6; break od }; x = 7 }
