// Initial values of locals may use parameters and earlier locals.
proctype P(byte a) { byte b = a + 1; byte c = b * 2; assert(c == 8) }
init { run P(3) }
