// On the way back the variable has again the value that it had there.
hidden int h; byte x;
active proctype P() { do :: x < 5 -> if :: h = 1 :: h = 2 :: h = 3 fi; x = x + h :: else -> break od }
active proctype Q() { byte y; do :: y < 4 -> y++ :: else -> break od }
