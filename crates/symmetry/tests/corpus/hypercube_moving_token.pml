/* order: 48 */
byte at;
chan in[8] = [1] of { bit };
proctype node(byte id) {
  do
  :: in[id]?_ -> if :: in[id ^ 1]!1 :: in[id ^ 2]!1 :: in[id ^ 4]!1 fi
  od
}
init { byte i; atomic { for (i : 0 .. 7) { run node(i) } if :: in[0]!1 :: in[1]!1 :: in[2]!1 :: in[3]!1 :: in[4]!1 :: in[5]!1 :: in[6]!1 :: in[7]!1 fi } }
