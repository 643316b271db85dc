/* order: 2
   (c -> a : b) over ids. */
bit want[2]; byte turn = 9;
active [2] proctype p() { do :: want[_pid] = 1; turn = (_pid == 0 -> 1 : 0); (want[1 - _pid] == 0 || turn == _pid); want[_pid] = 0 od }
