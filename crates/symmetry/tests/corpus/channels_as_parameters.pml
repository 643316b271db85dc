/* order: 6
   Named channels given to clients as parameters. */
chan a = [1] of { byte }; chan b = [1] of { byte }; chan c = [1] of { byte };
chan back = [0] of { chan };
proctype client(chan mine) { byte x; do :: back!mine; mine?x; assert(x == 7); x = 0 od }
proctype server() { chan r; do :: back?r; r!7 od }
init { atomic { run server(); run client(b); run client(a); run client(c) } }
