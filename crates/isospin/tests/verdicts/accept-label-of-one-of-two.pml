// safety holds; acceptance violated
// Two proctypes that differ in an accept label only are not exchanged.
byte n;
active proctype P() { do :: n = 1 - n od }
active proctype Q() { accept: do :: n = 1 - n od }
