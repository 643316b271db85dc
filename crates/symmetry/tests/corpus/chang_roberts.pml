/* order: 1 */
#define N 3
chan q[N] = [N] of { byte }; byte leader;
active [N] proctype p() { byte x;
  q[(_pid + 1) % N]!_pid;
  end: do :: q[_pid]?x -> if :: x > _pid -> q[(_pid + 1) % N]!x :: x < _pid :: x == _pid -> leader = x fi od }
