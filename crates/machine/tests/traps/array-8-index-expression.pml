// Indices are expressions, elements of other arrays too.
byte a[4], b[4], i = 1;
active proctype P() { a[i] = 2; b[a[i]] = 3; assert(b[2] == 3); a[b[i + 1]] = 9; assert(a[3] == 9); a[(i + 1) % 4]++; assert(a[2] == 1) }
