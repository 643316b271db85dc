/* expect accept violated violated */
bit x, y;
active proctype P() { accept: do :: y = 1 - y od }
active proctype Q() { do :: x = 1 - x od }
