// safety holds; non-progress violated
// Two proctypes that differ in a progress label only are not exchanged.
byte n;
active proctype P() { do :: n = 1 - n; other: skip od }
active proctype Q() { do :: n = 1 - n; progress: skip od }
