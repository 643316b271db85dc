/* order: 2
   Two proctypes with different names for everything. */
bit x, y; byte turn = 0;
active proctype P_0() { byte a; do :: x = 1; turn = 2; (y == 0 || turn == 1); a = 1; a = 0; x = 0 od }
active proctype P_1() { byte b; do :: y = 1; turn = 1; (x == 0 || turn == 2); b = 1; b = 0; y = 0 od }
