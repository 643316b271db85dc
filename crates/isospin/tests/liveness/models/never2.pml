/* expect never violated violated */
byte x;
active proctype P() { x = 1; x = 2; x = 3 }
never { do :: x != 2 :: x == 2 -> break od }
