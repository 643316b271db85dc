/* expect progress violated violated */
byte x;
active proctype P() { do :: x < 3 -> x++ :: x > 0 -> x-- :: x == 3 -> progress: x = 0 od }
