// An option that is written as 0 is dropped; a selection without options is never left.
byte x;
active proctype P() { if :: false -> x = 1 :: 0 -> x = 2 fi; x = 3 }
active proctype Q() { do :: 0 :: x == 0 -> break od; x = 4 }
