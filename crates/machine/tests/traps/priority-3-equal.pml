// Equal priorities interleave.
byte x;
active [2] proctype P() priority 3 { x++; x++ }
