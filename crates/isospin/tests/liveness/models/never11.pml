/* expect never holds holds SPIN holds violated */
/* np_ is false at rest, in SPIN too, but not when it counts for fairness. */
byte x;
active proctype P() { x = 1; progress: x = 2; x = 3 }
never { do :: true :: np_ -> break od; accept: do :: np_ od }
