/* order: 24
   A channel of its own for each client, server answers by index. */
#define N 4
mtype = { ask, grant, release };
chan to_server = [N] of { mtype, byte };
chan to_client[N] = [1] of { mtype };
proctype client(byte id) {
  do :: to_server!ask(id); to_client[id]?grant; to_server!release(id) od
}
proctype server() {
  byte c = N, d = N;
  do
  :: to_server?ask(c); to_client[c]!grant; to_server??release(d); assert(c == d || d != N); c = N; d = N
  od
}
init { atomic { byte i; for (i : 0 .. N - 1) { run client(i) }; run server() } }
