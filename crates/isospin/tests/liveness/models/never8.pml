/* expect never violated holds */
byte x;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> progress: x = 0 od }
active proctype Q() { bit k; do :: k = 1 - k od }
never { do :: true :: np_ -> break od; accept: do :: np_ od }
