// A declaration inside a loop body is an assignment at that place.
byte n;
active proctype P() { do :: n < 3 -> byte l = 5; assert(l == 5); l = l + n; n++ :: else -> break od }
