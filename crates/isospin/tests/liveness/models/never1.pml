/* expect never violated violated */
byte x;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 :: x == 2 -> x = 1 od }
never { do :: skip :: x == 2 -> break od; accept: do :: x != 3 od }
