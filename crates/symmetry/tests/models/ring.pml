/* A token goes round a ring of N nodes; ports are given as parameters. BUFFERED: over channels that hold a message.
   BOTH: it may go both ways. */
#ifndef N
#define N 4
#endif
#ifdef BUFFERED
chan port[N] = [1] of { bit };
#else
chan port[N] = [0] of { bit };
#endif

proctype node(chan in; chan out; chan back) {
  do
  :: in?_ ->
     if
     :: out!1
#ifdef BOTH
     :: back!1
#endif
     fi
  :: out!0
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) { run node(port[i], port[(i + 1) % N], port[(i + N - 1) % N]) }
  }
}
