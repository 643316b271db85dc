// safety violated
// A quotient that nobody reads may fail.
byte d = 1; byte sum;
active proctype W() { d = 0 }
active proctype P() { sum = 1 / d }
