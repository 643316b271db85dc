/* order: 6 */
bit flag[3]; byte n;
proctype p() { do :: flag[_pid - 1] = 1; n++; n--; flag[_pid - 1] = 0 od }
init { atomic { run p(); run p(); run p() } }
