// A send inside an atomic that finds no partner: control is lost before it.
chan q = [0] of { byte };
byte x;
active proctype P() { atomic { x = 1; q!1; x = 2 } }
active proctype Q() { x == 1; x = 4; q?_ }
