// timeout as the guard of a d_step.
byte x;
active proctype P() { d_step { timeout; x = 1; x = 2 } }
active proctype Q() { skip; skip }
