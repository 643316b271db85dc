// safety holds
// The assertion is never reached: the sequence has begun when it could be.
bit x;
active proctype P() { atomic { x = 1; do :: skip od } }
active proctype Q() { end: x == 1; assert(false) }
