/* order: 24 */
byte arrived; bit sense;
active [4] proctype p() {
  bit mine;
  do
  :: mine = 1 - mine;
     atomic { arrived++; if :: arrived == 4 -> arrived = 0; sense = mine :: else fi };
     sense == mine
  od
}
