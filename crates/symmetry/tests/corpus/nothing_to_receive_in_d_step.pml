/* order: 2
   As with a full channel: what happens where nothing can be received names a process. */
chan q = [1] of { byte };
byte f[3];
proctype P(byte id) {
  byte x;
  do
  :: d_step { f[id] == 0 -> f[id] = 1; if :: q?x -> x = 0 :: else -> f[0] = 0 fi }
  :: atomic { f[id] == 1 && empty(q) -> f[id] = 0; q!1 }
  od
}
init { atomic { run P(0); run P(1); run P(2) } }
