// Comparisons and logic give 0 or 1.
int x;
active proctype P() { x = (3 > 2) + (2 > 3) + !0 + !5 + (7 && 8) + (0 || 9); assert(x == 4) }
