/* order: 6
   Peterson's algorithm with a loop over all others inside atomic. */
#define N 3
byte level[N];
byte last[N] = 255;
byte inside;
proctype contender(byte id) {
  byte l, k; bit wait;
  do
  :: l = 1;
     do
     :: l < N ->
        level[id] = l;
        last[l] = id;
retry:  atomic {
          wait = 0; k = 0;
          do
          :: k < N -> if :: k != id && level[k] >= l -> wait = 1 :: else fi; k++
          :: else -> break
          od;
          k = 0
        }
        if :: wait && last[l] == id -> wait = 0; goto retry :: else -> wait = 0 fi;
        l++
     :: else -> break
     od;
     inside++; assert(inside == 1); inside--;
     level[id] = 0; l = 0
  od
}
init { atomic { byte i; for (i : 0 .. N - 1) { run contender(i) } } }
