// Shifts; right shifts keep the sign.
int x;
active proctype P() { x = 1 << 4; assert(x == 16); x = -16 >> 2; assert(x == -4); x = 1 << 31; assert(x < 0) }
