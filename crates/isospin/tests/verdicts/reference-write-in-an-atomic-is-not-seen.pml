// safety holds
// What an `atomic` sets and sets back is seen by nobody.
active proctype P() { public byte x; if :: x == 1 -> assert(false) :: else fi }
active proctype Q() { ref P r; r = anyRef(P); atomic { P[r].x = 1; P[r].x = 0 } }
