// Array lengths and channel capacities from macros and constants.
#define N 3
byte a[N + 1];
chan q = [N - 1] of { byte };
active proctype P() { a[3] = 1; q!1; q!2; full(q) }
