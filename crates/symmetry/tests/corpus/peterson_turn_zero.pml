/* order: 2, kept: 1
   Each process sets `turn` before it asks for it, so that its first value does not matter. */
bit want[2]; byte turn;
active proctype A() { do :: want[0] = 1; turn = 1; (!want[1] || turn == 0); want[0] = 0 od }
active proctype B() { do :: want[1] = 1; turn = 0; (!want[0] || turn == 1); want[1] = 0 od }
