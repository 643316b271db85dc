// A joint after a selection inside an atomic has no escape of its own.
byte x;
active proctype P() { atomic { { if :: x = 1 fi } unless { x == 1 -> x = 9 } } }
