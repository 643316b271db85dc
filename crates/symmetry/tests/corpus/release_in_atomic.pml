/* order: 8
   Two pairs of processes; what an atomic does to different cells has no order. */
bit a[4]; byte n;
active [4] proctype p() {
  do
  :: atomic { a[_pid] = 1; a[_pid ^ 1] = 1; n = 0 }
  :: atomic { a[_pid] = 0; n = 0 }
  od
}
