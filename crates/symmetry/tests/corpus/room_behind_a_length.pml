/* order: 6
   `len(h) < 2` says nothing about room in a channel for one message: the send may block. All send the same. */
byte w[3] = 9;
byte n;
chan h = [1] of { byte };
proctype P(byte id) {
  byte i = 9;
  end: do
  :: atomic {
      w[id] != id -> for (i : 0 .. 2) { if :: len(h) < 2 -> h!w[i]; break :: else fi; n = 2 }
      i = 9
    }
  od
}
init { atomic { run P(0); run P(1); run P(2) } }
