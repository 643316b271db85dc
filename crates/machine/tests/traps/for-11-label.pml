// A label before a for loop stands at the loop, not at the assignment before it.
byte i, n;
active proctype P() { L: for (i : 0 .. 1) { n++ }; if :: n < 3 -> n = 3; goto L :: else fi }
