/* order: 6, kept: 2 */
mtype = { get, put };
chan q = [1] of { mtype, byte }; byte store = 255;
proctype client(byte id) { do :: q!get(id) :: q!put(id) od }
active proctype server() { byte id; mtype what; do :: q?what, id; if :: what == put -> store = id :: else -> store = 255 fi od }
init { atomic { run client(0); run client(1); run client(2) } }
