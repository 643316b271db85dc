/* order: 1, processes: 4
   `turn` is a variable for all to write, so that it might be 9 again when 1 is added; it is not. */
byte turn = 9;
active [4] proctype p() { do :: turn == _pid -> turn = (turn + 1) % 4 :: turn == 9 -> turn = _pid od }
