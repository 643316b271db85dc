/* The same lock, taken by storing one's own pid in it; user-written numbers instead of pids in messages. */
#ifndef N
#define N 3
#endif
byte owner = 255;
chan log = [2] of { byte };

active [N] proctype user() {
  byte id = _pid + 10;
again:
  atomic { owner == 255 -> owner = id; log!id };
  assert(owner == id);
  atomic { log?eval(id); owner = 255 };
  goto again
}
