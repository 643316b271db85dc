/* order: 6
   What others have made public is read through references. */
active [3] proctype Node() {
  public bit up; ref Node other;
  do
  :: up = 1 - up
  :: other = anyRef(Node); if :: Node[other].up -> up = 0 :: else -> skip fi
  od
}
