// Written before it is read, in one `atomic` sequence: nothing depends on what others leave in it.
hidden byte h; byte x;
active proctype P() { do :: atomic { h = x; h++; x = h % 4 } od }
active proctype Q() { byte n; do :: n < 3 -> atomic { h = n; n = h + 1 } :: else -> break od }
