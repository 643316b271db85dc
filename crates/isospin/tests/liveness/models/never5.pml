/* expect never holds holds */
byte x;
active proctype P() { do :: x < 4 -> x++ :: else -> x = 0 od }
never { S0: if :: x == 5 -> goto accept :: else -> goto S0 fi; accept: if :: true -> goto accept fi }
