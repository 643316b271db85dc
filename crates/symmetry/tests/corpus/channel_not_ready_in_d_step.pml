/* order: 2
   Where the channel is full, the first process is marked: in a d_step, too, a send that is not possible leaves the choice to `else`. */
chan q = [2] of { byte };
byte f[3];
proctype P(byte id) {
  do
  :: d_step { f[id] == 0 -> f[id] = 1; if :: q!1 :: else -> f[0] = 2 fi }
  :: atomic { f[id] == 1 -> f[id] = 0 }
  :: atomic { f[id] == 0 && len(q) == 0 -> f[id] = 2 }
  :: atomic { f[id] == 2 && full(q) -> f[id] = 1 }
  od
}
init { atomic { run P(0); run P(1); run P(2) } }
