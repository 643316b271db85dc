// else counts as being able to move.
byte x;
active proctype P() priority 1 { x = 1 }
active proctype Q() priority 5 { do :: x == 1 -> break :: else -> x = 2; if :: x == 2 -> set_priority(_pid, 1) :: else fi od }
