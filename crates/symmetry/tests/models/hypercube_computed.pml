/* The cube with a dimension that is chosen first and then used to compute the neighbour. */
#define NODES 8
chan link[NODES] = [1] of { byte };

proctype node(byte id) {
  byte destination = id, dimension = 255;
  do
  :: link[id]?destination ->
     atomic {
       if :: dimension = 0 :: dimension = 1 :: dimension = 2 fi;
       link[id ^ (1 << dimension)]!destination;
       destination = id;
       dimension = 255
     }
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. NODES - 1) { run node(i) }
  }
  if
  :: link[0]!0 :: link[1]!1 :: link[2]!2 :: link[3]!3 :: link[4]!4 :: link[5]!5 :: link[6]!6 :: link[7]!7
  fi
}
