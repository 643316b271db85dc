// A trace with alternatives and loops.
mtype = { open, data, close };
chan q = [1] of { mtype, byte };
active proctype P() { byte n; q!open,0; do :: n < 2 -> q!data,n; n++ :: q!close,0; break od }
active proctype Q() { mtype m; byte n; do :: q?m,n; if :: m == close -> break :: else fi od }
trace { q!open,0; do :: q!data,_ :: q!close,0 -> break od }
