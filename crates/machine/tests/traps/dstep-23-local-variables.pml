// Locals inside a d_step keep their values.
byte r;
active proctype P() { byte i, s; d_step { i = 3; do :: i > 0 -> s = s + i; i-- :: else -> break od; r = s }; assert(r == 6 && s == 6) }
