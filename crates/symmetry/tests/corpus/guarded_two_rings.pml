/* order: 2
   Two trains on rings of four gates each, told apart by id * 4. */
bit gate[8];
byte inside;
proctype train(byte id) {
  byte at = id * 4;
  do
  :: gate[at] = 1;
     if :: at == id * 4 -> atomic { inside == 0 -> inside++ } :: at == id * 4 + 1 -> inside-- :: else fi;
     gate[at] = 0;
     if :: at == 3 -> at = 0 :: at == 7 -> at = 4 :: else -> at++ fi
  od
}
init { atomic { run train(0); run train(1) } }
