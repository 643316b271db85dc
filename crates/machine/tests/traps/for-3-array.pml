// for (i in a) goes over the indices.
byte a[3], i;
active proctype P() { for (i in a) { a[i] = i + 1 }; assert(a[0] == 1 && a[2] == 3 && i == 3) }
