/* order: 6
   0 is both the first id and the initial value of turn: process 0 is another one. */
byte turn;
active [4] proctype p() {
  byte next = 9;
  do
  :: turn == _pid -> if :: next = 0 :: next = 1 :: next = 2 :: next = 3 fi; turn = next; next = 9
  od
}
