// An array of one element.
byte a[1];
active proctype P() { a[0] = 5; assert(a[0] == 5) }
