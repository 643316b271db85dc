// An else outside any selection is always possible.
byte x;
active proctype P() { x = 1; else; x = 2 }
