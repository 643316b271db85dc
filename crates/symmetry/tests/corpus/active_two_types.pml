/* order: 12
   Readers and writers as two active proctypes. */
byte readers; bit writing;
active [3] proctype reader() {
  do :: atomic { !writing -> readers++ }; assert(!writing); readers-- od
}
active [2] proctype writer() {
  do :: atomic { !writing && readers == 0 -> writing = 1 }; assert(readers == 0); writing = 0 od
}
