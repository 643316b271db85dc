/* A star: N clients name themselves to a server, which answers each through a channel of its own. */
#ifndef N
#define N 4
#endif
chan in = [2] of { byte };
chan out[N + 1] = [1] of { byte };
byte owner;
proctype client() { byte x; do :: in!_pid; out[_pid]?x; assert(x == _pid); x = 0 od }
proctype server() { byte c; do :: in?c; owner = c; out[c]!c; c = 0; owner = 0 od }
init { byte i; atomic { for (i : 1 .. N) { run client() } run server() } }
