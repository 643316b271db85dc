// An array of structures with channels.
typedef T { byte k; chan c = [1] of { byte } };
T t[2];
byte x;
active proctype P() { t[0].c!1; t[1].c!2; t[1].c?x; assert(x == 2); assert(len(t[0].c) == 1) }
