/* order: 6 */
#define N 3
bit in[N]; bit free;
active [N] proctype p() {
  byte i;
  do
  :: atomic { free = 1; for (i : 0 .. N - 1) { if :: in[i] -> free = 0 :: else fi } }
     if :: free -> in[_pid] = 1 :: else fi;
     in[_pid] = 0
  od
}
