// safety violated
// The writer's index is a variable, so it may mean the useless element too.
bool in[2];
active proctype P() { byte i; i = 1; in[i] = 1; in[i] = 0 }
active proctype Q() { assert(!in[1]) }
