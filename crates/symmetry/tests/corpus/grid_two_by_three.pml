/* order: 4 */
#define R 2
#define C 3
bit on[6];
proctype cell(byte r; byte c) {
  do
  :: (r == 0 || !on[(r - 1) * C + c]) && (r == R - 1 || !on[(r + 1) * C + c]) &&
     (c == 0 || !on[r * C + c - 1]) && (c == C - 1 || !on[r * C + c + 1]) -> on[r * C + c] = 1
  :: on[r * C + c] = 0
  od
}
init { atomic { run cell(0,0); run cell(0,1); run cell(0,2); run cell(1,0); run cell(1,1); run cell(1,2) } }
