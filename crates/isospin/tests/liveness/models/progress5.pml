/* expect progress holds holds */
chan q = [1] of { bit };
active proctype P() { progress: do :: q!1 od }
active proctype Q() { do :: q?_ od }
