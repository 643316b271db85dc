/* A packet wanders through a cube of three dimensions: the next node differs in one bit of its number. FIXED: it always
   starts at node 0. */
#define NODES 8
chan link[NODES] = [0] of { byte };
#define OTHER(n) :: id != n -> destination = n

proctype node(byte id) {
  byte destination = id;
  do
  :: link[id]?destination ->
     if
     :: destination == id ->
        if OTHER(0) OTHER(1) OTHER(2) OTHER(3) OTHER(4) OTHER(5) OTHER(6) OTHER(7) fi
     :: else
     fi;
     if
     :: (destination ^ id) & 1 -> link[id ^ 1]!destination
     :: (destination ^ id) & 2 -> link[id ^ 2]!destination
     :: (destination ^ id) & 4 -> link[id ^ 4]!destination
     fi;
     destination = id
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. NODES - 1) { run node(i) }
  }
  if
  :: link[0]!0
#ifndef FIXED
  :: link[1]!1 :: link[2]!2 :: link[3]!3 :: link[4]!4 :: link[5]!5 :: link[6]!6 :: link[7]!7
#endif
  fi
}
