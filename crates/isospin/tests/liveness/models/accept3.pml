/* expect accept violated violated */
byte x;
active proctype P() { x = 1; accept: x == 2 }
