/* expect progress holds holds */
bit x;
active proctype P() { progress: x == 1 }
active proctype Q() { do :: x = 0 od }
