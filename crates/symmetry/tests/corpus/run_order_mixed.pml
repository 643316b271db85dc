/* order: 24
   run statements of two proctypes, interleaved, in an order that is not that of the ids. */
chan c[5] = [1] of { byte };
byte total;
proctype a(byte id) { do :: c[id]!id :: atomic { total < 3 -> total++ } od }
proctype b(byte id) { byte v = 9; do :: c[id]?v -> v = 9 :: atomic { total > 0 -> total-- } od }
proctype idle(byte id) { byte v; do :: c[id]?v -> v = 9 od }
init {
  atomic {
    run a(2); run b(1); run a(4); run b(2); run b(4); run a(0); run a(1); run b(0)
  }
}
