/* expect progress holds holds */
bit x, y;
active proctype P() { do :: progress: x = 1 - x od }
active proctype Q() { do :: y = 1 - y od }
