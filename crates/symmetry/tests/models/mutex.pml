/* Simple mutual exclusion: N processes share one lock. */
#ifndef N
#define N 3
#endif
mtype = { idle, trying, critical };
mtype state[N + 1] = idle;
byte inside;

proctype user() {
  do
  :: atomic { state[_pid] == idle -> state[_pid] = trying }
  :: atomic { state[_pid] == trying && inside == 0 -> state[_pid] = critical; inside++ };
     assert(inside == 1);
     atomic { inside--; state[_pid] = idle }
  od
}

init { byte i; atomic { for (i : 1 .. N) { run user() } } }
