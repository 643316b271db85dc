/* Nearly symmetric: process 2 starts with another value, and process 1 is named by a literal. */
byte flag[4];
byte turn;

proctype user(byte id) {
  byte budget = (id == 2 -> 5 : 3);
  do
  :: flag[id] == 0 && budget > 0 -> flag[id] = 1; budget--
  :: flag[id] == 1 -> flag[id] = 0
#ifdef LITERAL
  :: id == 1 -> turn = 1
#endif
  od
}

init { atomic { run user(1); run user(2); run user(3) } }
