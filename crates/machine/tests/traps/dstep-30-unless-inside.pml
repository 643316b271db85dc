// unless inside a d_step is ignored.
byte x;
active proctype P() { d_step { x = 1; { x = 2; x = 3 } unless { x == 2; x = 9 }; x++ } ; assert(x == 4) }
