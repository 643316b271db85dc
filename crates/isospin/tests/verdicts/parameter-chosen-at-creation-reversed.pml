// safety violated
bit a[2];
proctype P(byte i) { a[i] = 1; a[i] = 0 }
init { if :: run P(1) :: run P(0) fi }
active proctype Q() { assert(!a[0]) }
