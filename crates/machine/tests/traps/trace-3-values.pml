// Fields may be constants or anything.
chan q = [2] of { byte, byte };
active proctype P() { q!1,7; q!2,8; q!3,9 }
active proctype Q() { byte x, y; do :: q?x,y :: timeout -> break od }
trace { q!1,_; q!2,8; q!3,8 }
