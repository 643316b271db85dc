// A channel in a structure.
typedef T { byte k; chan c = [1] of { byte } };
T t;
byte x;
active proctype P() { t.c!8; t.c?x; assert(x == 8) }
