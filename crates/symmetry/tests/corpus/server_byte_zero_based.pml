/* order: 6, kept: 2 */
chan req = [0] of { byte };
chan ans[3] = [0] of { bit };
proctype client(byte id) { do :: req!id; ans[id]?_ od }
active proctype server() { byte c; do :: req?c; ans[c]!1 od }
init { atomic { run client(0); run client(1); run client(2) } }
