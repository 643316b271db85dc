// Initial values are cut.
byte b = 256; bit c = 2; short s = 40000; byte a[2] = 511;
active proctype P() { byte l = 300; assert(b == 0 && c == 0 && s == -25536 && a[1] == 255 && l == 44) }
