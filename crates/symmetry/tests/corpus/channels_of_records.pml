/* order: 6. Each record has a channel of its own. */
typedef node { chan in = [1] of { byte }; bool busy };
node n[3];
proctype p(byte id) { byte x; do :: n[id].in?x -> n[id].busy = 1; n[id].busy = 0 :: n[id].in!7 od }
init { atomic { run p(0); run p(1); run p(2) } }
