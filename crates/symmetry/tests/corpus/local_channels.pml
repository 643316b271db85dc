/* order: 24
   Every client makes its own reply channel and sends it along. */
chan request = [0] of { byte, chan };
proctype client(byte id) {
  chan reply = [1] of { byte };
  byte got = 99;
  do :: request!id, reply; reply?got; assert(got == id); got = 99 od
}
active proctype server() {
  byte id = 99; chan to;
  do :: request?id, to; to!id; id = 99 od
}
init { atomic { run client(0); run client(1); run client(2); run client(3) } }
