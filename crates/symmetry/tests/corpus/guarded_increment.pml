/* order: 4
   Every process walks round a ring of cells: the last one goes back, else on. */
#define N 4
bit cell[N];
proctype walker(byte at) {
  do
  :: cell[at] = 1 - cell[at];
     atomic {
       if
       :: at == N - 1 -> at = 0
       :: else -> at++
       fi
     }
  od
}
init { atomic { run walker(0); run walker(1); run walker(2); run walker(3) } }
