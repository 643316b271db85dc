// enabled: whether another process could move.
byte x;
active proctype P() { x == 1 -> x = 2 }
active proctype Q() { assert(!enabled(0)); x = 1; do :: enabled(0) -> skip :: x == 2 -> break od }
