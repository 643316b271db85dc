/* order: 1 */
byte turn;
active [4] proctype p() { do :: turn == _pid -> turn = (turn + 1) % 4 od }
