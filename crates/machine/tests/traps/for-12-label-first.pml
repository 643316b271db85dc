// A label on a for with an escape.
byte x;
active proctype P() { byte i; again: for (i : 0 .. 2) { x++ } unless { x == 2 -> x = 9 }; if :: x == 9 -> x = 0; goto again :: else fi }
