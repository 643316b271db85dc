// Another process' else is possible, so there is no timeout.
byte x;
active proctype P() { timeout -> x = 1 }
active proctype Q() { do :: x == 1 -> break :: else -> x = 2 od }
