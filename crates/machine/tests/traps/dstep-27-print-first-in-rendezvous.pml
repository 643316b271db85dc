// A d_step that begins with a print statement is not part of anybody's rendezvous.
chan q = [0] of { byte };
byte x;
active proctype P() { d_step { printf("x\n"); x = 1 } }
active proctype Q() { q!1; assert(false) }
