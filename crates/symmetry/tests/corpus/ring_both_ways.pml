/* order: 10
   Philosophers that may take either fork first: turns and reflections. */
#define N 5
bit fork[N];
proctype philosopher(byte id) {
  do
  :: if
     :: atomic { !fork[id] -> fork[id] = 1 }; atomic { !fork[(id + 1) % N] -> fork[(id + 1) % N] = 1 }
     :: atomic { !fork[(id + 1) % N] -> fork[(id + 1) % N] = 1 }; atomic { !fork[id] -> fork[id] = 1 }
     fi;
     atomic { fork[id] = 0; fork[(id + 1) % N] = 0 }
  od
}
init { atomic { byte i; for (i : 0 .. N - 1) { run philosopher(i) } } }
