// safety violated
// The monitor that users write.
bool flag[2];
byte critical;
active [2] proctype P() { flag[1 - _pid] == 0; flag[_pid] = 1; critical++; critical--; flag[_pid] = 0 }
active proctype Monitor() { assert(critical < 2) }
