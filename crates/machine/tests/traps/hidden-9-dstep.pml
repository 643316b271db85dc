// SPIN saves the state vector before a `d_step` and restores it on the way back; a `hidden` variable is not in it, and keeps the value of another run.
// ours: states=25 transitions=37 atomic=0 depth=7 errors=0
// because: its search goes through states that no run leads to
hidden byte h; byte x;
active [2] proctype P() { d_step { h = 1 - h; x = (x + 1 + h) % 5 }; if :: x > 2 -> x = 0 :: else fi }
