/* order: 72
   Groups of three: id / 3. */
byte in_group[2]; bit m[6];
active [6] proctype p() {
  do
  :: atomic { in_group[_pid / 3] == 0 -> in_group[_pid / 3] = 1; m[_pid] = 1 }
  :: atomic { m[_pid] -> in_group[_pid / 3] = 0; m[_pid] = 0 }
  od
}
