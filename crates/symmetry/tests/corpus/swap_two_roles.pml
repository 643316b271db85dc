/* order: 2 */
bit want[2]; byte turn = 2;
active proctype A() { do :: want[0] = 1; turn = 1; (!want[1] || turn == 0); want[0] = 0 od }
active proctype B() { do :: want[1] = 1; turn = 0; (!want[0] || turn == 1); want[1] = 0 od }
