// safety violated
// What is printed matters if it cannot be computed.
byte a[2]; byte i;
active proctype P() { i = 2; printf("%d\n", a[i]) }
