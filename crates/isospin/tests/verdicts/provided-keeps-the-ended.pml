// safety violated
// Processes cannot disappear from their end while their clause does not hold.
byte g;
chan r = [0] of { byte };
active proctype P() { r!1 }
active [2] proctype Q() provided (g != 1) { r?g }
