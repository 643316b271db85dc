/* expect never violated violated */
byte x;
active proctype P() { x = 1; x = 2; x = 3 }
never { do :: atomic { x == 3 -> assert(x != 3) } :: else od }
