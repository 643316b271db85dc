/* order: 2
   Far from the beginning, where the channel is full, whoever gives up makes the last one give up, too. */
byte n, before;
bit held[3];
chan q = [1] of { bit };
proctype P(byte id) {
  do
  :: atomic { n < 250 -> n++ }
  :: atomic { n == 250 && held[id] == 0 && held[0] + held[1] + held[2] < 2 -> held[id] = 1 }
  :: d_step {
      n == 250 && held[id] == 1 ->
        before = held[0] + held[1] + held[2];
        held[id] = 0;
        if :: q!1 :: else -> held[2] = 0 fi;
        assert(before - (held[0] + held[1] + held[2]) < 2);
        before = 0
    }
  od
}
init { atomic { run P(0); run P(1); run P(2) } }
