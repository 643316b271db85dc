/* order: 6
   One process starts with the token and hands it to anybody. */
chan give[4] = [0] of { bit };
proctype p(byte id; bit has) {
  do
  :: has -> if :: give[0]!1 :: give[1]!1 :: give[2]!1 :: give[3]!1 fi; has = 0
  :: !has -> give[id]?has
  od
}
init { atomic { run p(0, 1); run p(1, 0); run p(2, 0); run p(3, 0) } }
