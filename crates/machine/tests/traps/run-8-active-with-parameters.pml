// The parameters of an active process are 0.
active proctype P(byte a; chan c) { assert(a == 0 && c == 0) }
