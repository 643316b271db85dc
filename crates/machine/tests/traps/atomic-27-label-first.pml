// A label first in an atomic, and in a d_step, on a loop.
byte x;
active proctype P() { atomic { first: do :: x < 2 -> x++ :: x == 2 -> x = 3; goto first :: else -> break od }; d_step { second: do :: x < 5 -> x++ :: else -> break od } }
active proctype Q() { x == 3 -> x = 4 }
