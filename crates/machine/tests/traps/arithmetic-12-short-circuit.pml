// && and || look at their right side only when needed.
byte i = 5, a[3];
active proctype P() { assert(!(i < 3 && a[i] == 0)); assert(i == 5 || a[i] == 0); if :: (i < 3 && a[i]) -> skip :: else fi }
