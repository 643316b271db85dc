/* order: 6 */
byte turn = 3; bit f0, f1, f2;
active proctype P_0() { do :: f0 = 1; turn = 0; f0 = 0; turn = 3 od }
active proctype P_1() { do :: f1 = 1; turn = 1; f1 = 0; turn = 3 od }
active proctype P_2() { do :: f2 = 1; turn = 2; f2 = 0; turn = 3 od }
