// The 256th process is an error; SPIN gives up there.
proctype P() { false }
init { do :: run P() od }
