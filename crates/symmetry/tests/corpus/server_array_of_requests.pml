/* order: 24, kept: 6 */
#define N 4
bit pending[N]; byte served = N;
active [N] proctype c() { do :: !pending[_pid] -> pending[_pid] = 1; served == _pid -> served = N od }
active proctype s() { byte i;
  do :: served == N ->
     if :: pending[0] -> i = 0 :: pending[1] -> i = 1 :: pending[2] -> i = 2 :: pending[3] -> i = 3 fi;
     pending[i] = 0; served = i
  od }
