/* order: 24 */
byte mask;
active [4] proctype p() {
  do
  :: (mask & (1 << _pid)) == 0 -> mask = mask | (1 << _pid)
  :: (mask & (1 << _pid)) != 0 -> mask = mask & ~(1 << _pid)
  od
}
