// A proctype that starts itself.
byte n;
proctype P(byte d) { if :: d > 0 -> run P(d - 1) :: else fi; n++ }
init { run P(2) }
