/* order: 48
   Nobody reads the matrix, so the two cells that a user can set are alike, too: S2 wr S3. */
typedef Row { bit to[3] };
Row connect[3];
proctype user(byte me) {
  do
  :: if :: me != 0 -> connect[me].to[0] = 1 :: me != 1 -> connect[me].to[1] = 1 :: me != 2 -> connect[me].to[2] = 1 fi
  :: d_step { connect[me].to[0] = 0; connect[me].to[1] = 0; connect[me].to[2] = 0 }
  od
}
init { atomic { run user(0); run user(1); run user(2) } }
