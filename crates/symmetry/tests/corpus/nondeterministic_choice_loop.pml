/* order: 6
   Choice of an id by a counting loop inside atomic. */
byte chosen = 9;
active [3] proctype p() {
  byte k = 9;
  do
  :: atomic { k = 0; do :: k < 2 -> k++ :: break od; chosen = k; k = 9 }
  :: atomic { chosen == _pid -> chosen = 9 }
  od
}
