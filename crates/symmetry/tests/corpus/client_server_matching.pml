/* order: 36
   Any client with any server. */
chan port = [0] of { byte, byte };
byte served[3] = 9;
active [3] proctype client() { byte s = 9; do :: port?s, eval(_pid); s = 9 od }
active [3] proctype server() {
  byte c = 9;
  do :: if :: c = 0 :: c = 1 :: c = 2 fi; port!_pid, c; served[_pid - 3] = c; c = 9; served[_pid - 3] = 9 od
}
