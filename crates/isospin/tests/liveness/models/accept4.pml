/* expect accept holds holds */
bit x;
active proctype P() { do :: x == 0 -> accept: x = 1; x = 0; break od; do :: x = 1 - x od }
