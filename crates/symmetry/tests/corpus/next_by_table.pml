/* order: 3 */
byte next[3] = { 1, 2, 0 }; byte token = 255;
active [3] proctype p() { do :: token == _pid -> token = next[_pid] :: token == 255 -> token = _pid od }
