// Arguments are cut to the types of the parameters.
proctype P(byte b; short s; bit t; unsigned u : 3) { assert(b == 1); assert(s == -1); assert(t == 1); assert(u == 2) }
init { run P(257, 65535, 3, 10) }
