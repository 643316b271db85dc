/* order: 6
   run as an expression: pids are kept and used to address processes. */
pid who[3];
chan q[5] = [1] of { pid };
proctype worker(byte slot) { pid p = 0; do :: q[slot]?p -> assert(p == _pid); p = 0 od }
proctype boss() { byte k = 9; do :: if :: k = 0 :: k = 1 :: k = 2 fi; q[k]!who[k]; k = 9 od }
init { atomic { who[0] = run worker(0); who[1] = run worker(1); who[2] = run worker(2); run boss() } }
