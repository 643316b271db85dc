// timeout as a way out of a loop.
chan q = [2] of { byte };
byte x;
active proctype P() { do :: q?x :: timeout -> break od; assert(x == 2) }
active proctype Q() { q!1; q!2 }
