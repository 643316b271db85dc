/* order: 24, kept: 6 */
#define N 4
mtype = { request, grant };
chan to_server = [2] of { mtype, byte };
chan to_client[N] = [1] of { mtype };
proctype client(byte me) {
  do
  :: to_server!request(me); to_client[me]?grant; to_server!grant(me)
  od
}
proctype server() {
  byte who; byte other;
  do
  :: to_server?request(who) -> to_client[who]!grant; to_server?grant(other); assert(other == who || true)
  od
}
init { byte i; atomic { run server(); i = 0; do :: i < N -> run client(i); i++ :: else -> break od } }
