/* order: 24 */
typedef Entry { bit want; bit has; byte count };
Entry e[4];
active [4] proctype p() {
  do
  :: e[_pid].want = 1;
     d_step { !e[0].has && !e[1].has && !e[2].has && !e[3].has -> e[_pid].has = 1 };
     e[_pid].want = 0; e[_pid].has = 0
  od
}
