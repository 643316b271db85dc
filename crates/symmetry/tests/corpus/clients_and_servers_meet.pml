/* order: 12 */
chan hello[2] = [0] of { byte };
active [2] proctype server() { byte c; do :: hello[_pid]?c od }
active [3] proctype client() { do :: hello[0]!_pid :: hello[1]!_pid od }
