/* expect accept violated violated */
byte x;
active proctype P() { do :: x < 3 -> x++ :: x > 0 -> accept: x-- od }
