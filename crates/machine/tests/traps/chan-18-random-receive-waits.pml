// A random receive waits while nothing matches.
chan q = [2] of { byte };
byte x;
active proctype P() { q!1; q!2; x = 1; q!3 }
active proctype Q() { q??3; x = 9 }
