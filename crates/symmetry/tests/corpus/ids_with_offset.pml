/* order: 24
   Ids 10..13, arrays indexed by id - 10. */
#define BASE 10
byte holder = 0;
byte state[4];
proctype worker(byte id) {
  do
  :: state[id - BASE] = 1;
     atomic { holder == 0 -> holder = id };
     state[holder - BASE] = 2;
     assert(state[id - BASE] == 2);
     state[id - BASE] = 0;
     holder = 0
  od
}
init { atomic { byte k = 0; do :: k < 4 -> run worker(k + BASE); k++ :: k == 4 -> break od } }
