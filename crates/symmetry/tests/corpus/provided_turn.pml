/* order: 6
   Who may move is told by a provided clause with ids. */
byte run_id = 255;
proctype p() provided (run_id == _pid || run_id == 255) { do :: run_id = _pid; run_id = 255 od }
init { atomic { run p(); run p(); run p() } }
