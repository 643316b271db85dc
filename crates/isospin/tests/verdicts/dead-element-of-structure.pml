// safety violated
typedef T { bool in[2] }
T t;
active proctype P() { t.in[1] = 1; t.in[1] = 0 }
active proctype Q() { assert(!t.in[1]) }
