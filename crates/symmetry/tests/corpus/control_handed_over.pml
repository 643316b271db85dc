/* order: 6
   kept: 2
   Control inside of an atomic goes from sender to receiver. */
chan a = [0] of { byte };
byte inside, who = 9;
proctype P(byte id) {
  byte x;
  do
  :: atomic { who == 9 -> who = id; a!id; inside++; assert(inside == 1); inside--; who = 9 }
  :: atomic { a?x; inside++; assert(inside == 1); assert(who == x && x != id); inside--; x = 0 }
  od
}
init { atomic { run P(0); run P(1); run P(2) } }
