// A process at an end label that can time out does so.
byte x;
active proctype P() { end: do :: timeout -> x = (x + 1) % 3 od }
