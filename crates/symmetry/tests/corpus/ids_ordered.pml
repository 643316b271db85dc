/* order: 1 */
byte ticket[3];
active [3] proctype p() {
  do
  :: ticket[_pid] = 1;
     (_pid == 0 || ticket[0] == 0) && (_pid <= 1 || ticket[1] == 0);
     ticket[_pid] = 0
  od
}
