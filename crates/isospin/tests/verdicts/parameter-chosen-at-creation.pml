// safety violated
// The process that is created has the same number with either parameter, but not the same effect.
bit a[2];
proctype P(byte i) { a[i] = 1; a[i] = 0 }
init { if :: run P(0) :: run P(1) fi }
active proctype Q() { assert(!a[1]) }
