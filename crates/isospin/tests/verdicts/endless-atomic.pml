// safety violated
// A process that never leaves its atomic sequence lets nobody else move from then on, but others may have moved before.
bit x;
active proctype P() { atomic { x = 1; do :: skip od } }
active proctype Q() { assert(x == 1) }
