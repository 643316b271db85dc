/* order: 1
   A pointer goes round: it starts at process 0, so not even rotations. */
byte turn = 0;
active [4] proctype p() { do :: turn == _pid -> skip; turn = (turn + 1) % 4 od }
