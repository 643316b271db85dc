// safety violated
byte n;
active proctype P() { n = 1; L: n = 2 }
active proctype Q() { if :: n == 1 && P@L -> assert(false) :: else fi }
