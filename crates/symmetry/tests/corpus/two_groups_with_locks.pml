/* order: 8 */
bit lock[2];
proctype p(byte g) { do :: atomic { !lock[g] -> lock[g] = 1 }; lock[g] = 0 od }
init { atomic { run p(0); run p(0); run p(1); run p(1) } }
