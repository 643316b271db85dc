/* order: 1
   The larger id wins: ids are ordered. */
byte leader = 0;
active [3] proctype p() { do :: _pid + 1 > leader -> leader = _pid + 1 :: leader == _pid + 1 -> leader = 0 od }
