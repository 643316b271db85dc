/* order: 6
   A channel from everyone to everyone, by 3 * from + to. */
chan c[9] = [1] of { bit };
proctype P(byte id) {
  do
  :: id != 0 -> c[3 * id + 0]!1
  :: id != 1 -> c[3 * id + 1]!1
  :: id != 2 -> c[3 * id + 2]!1
  :: c[id]?1
  :: c[3 + id]?1
  :: c[6 + id]?1
  od
}
init { atomic { run P(0); run P(1); run P(2) } }
