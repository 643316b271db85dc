/* order: 2
   Two processes: the other is 1 - id, 3 - id for ids 1, 2. */
bit flag[3]; byte turn;
proctype p(byte me) { do :: flag[me] = 1; turn = 3 - me; (flag[3 - me] == 0 || turn == me); flag[me] = 0; turn = 0 od }
init { atomic { run p(1); run p(2) } }
