/* expect progress holds holds */
byte x;
active proctype P() { x = 1; progress: x = 2; x = 3 }
