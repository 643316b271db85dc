// Elements of a `hidden` array are received into and counted with.
hidden byte h[3]; byte x; chan q = [2] of { byte };
active proctype P() { byte i; do :: i < 3 -> q!i; i++ :: else -> break od }
active proctype Q() { do :: q?h[0]; h[1] = h[1] + 1 :: x < 3 -> x++ od }
