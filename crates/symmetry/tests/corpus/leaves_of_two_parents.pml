/* order: 72. Leaves of two parents, known by the cell they use: S3 wr S2. */
byte t[2];
proctype leaf(byte parent) { do :: atomic { t[parent] == 0 -> t[parent] = 1 }; t[parent] = 0 od }
init { atomic { run leaf(0); run leaf(0); run leaf(0); run leaf(1); run leaf(1); run leaf(1) } }
