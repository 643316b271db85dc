/* Peterson's algorithm for N processes, from 2 to 4. All others are tested in one step. */
#ifndef N
#define N 3
#endif
byte level[N + 1];
byte last_to_enter[N];
byte inside;
#define LOWER(p) (_pid == p || level[p] < l)

proctype contender() {
  byte l;
again:
  l = 1;
  do
  :: l < N ->
     level[_pid] = l;
     last_to_enter[l] = _pid;
     (last_to_enter[l] != _pid || (LOWER(1) && LOWER(2)
#if N > 2
      && LOWER(3)
#endif
#if N > 3
      && LOWER(4)
#endif
     ));
     l++
  :: else -> break
  od;
  inside++;
  assert(inside == 1);
  inside--;
  level[_pid] = 0;
  l = 0;
  goto again
}

init { byte i; atomic { for (i : 1 .. N) { run contender() } } }
