/* expect never holds holds */
byte x;
active proctype P() { x = 1; x = 2 }
never { x == 0; x == 2 }
