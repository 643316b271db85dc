// safety violated
// Only if A is not yet at the port does B stop inside its atomic sequence, where C sees x.
chan r = [0] of { byte };
byte x;
active proctype A() { skip; atomic { r?_; x = 0 } }
active proctype B() { atomic { x = 1; r!1 } }
active proctype C() { assert(x == 0) }
