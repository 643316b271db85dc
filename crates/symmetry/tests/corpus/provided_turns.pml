/* order: 6 */
byte turn = 255;
active [3] proctype p() provided (turn == _pid || turn == 255) { do :: turn = _pid; turn = 255 od }
