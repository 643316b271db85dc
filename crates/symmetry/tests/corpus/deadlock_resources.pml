/* order: 36
 * Each takes two of three equal resources one by one: deadlock. */
#define N 3
byte owner[3];
#define TAKE(r) :: atomic { owner[r] == 0 -> owner[r] = _pid + 1; n++ }
#define DROP(r) :: atomic { n == 2 && owner[r] == _pid + 1 -> owner[r] = 0; d++ }
active [N] proctype P() {
  byte n, d;
  do
  :: n < 2 -> if TAKE(0) TAKE(1) TAKE(2) fi
  :: n == 2 -> if DROP(0) DROP(1) DROP(2) fi; if :: d == 2 -> n = 0; d = 0 :: else fi
  od
}
