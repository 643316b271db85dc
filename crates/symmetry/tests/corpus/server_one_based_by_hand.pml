/* order: 6 */
chan req = [1] of { byte };
chan ans[4] = [1] of { bit };
proctype client(byte id) { do :: req!id; ans[id]?_ od }
proctype server() { byte c; do :: req?c; ans[c]!1 od }
init { atomic { run server(); run client(1); run client(2); run client(3) } }
