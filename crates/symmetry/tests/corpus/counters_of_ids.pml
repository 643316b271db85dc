/* order: 6
   Numbers beside ids: tickets. */
byte next, serving; byte ticket[3];
active [3] proctype p() {
  do
  :: atomic { ticket[_pid] = next; next = (next + 1) % 4 };
     (serving == ticket[_pid]);
     serving = (serving + 1) % 4
  od
}
