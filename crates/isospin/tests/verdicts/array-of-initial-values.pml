// safety violated
// Elements that start with different values are dead, and then read as such by another process.
byte a[2] = { 1, 2 };
active proctype P() { byte own[2] = { 3, 4 }; a[0] = own[1]; own[1] = 0; a[0] = 1; own[1] = a[1]; assert(own[1] == 2) }
active proctype Q() { assert(a[0] == 1) }
