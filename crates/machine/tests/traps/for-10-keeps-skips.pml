// Redundant skips in the body of a for loop stay.
byte i;
active proctype P() { for (i : 0 .. 1) { skip; skip; skip } }
