// A list of initial values.
int a[3] = {1, 2, 3};
byte b[2] = {256, 255};
active proctype P() { short c[2] = {32768, 4}; assert(a[0] == 1 && a[2] == 3 && b[0] == 0 && b[1] == 255 && c[0] == -32768 && c[1] == 4) }
