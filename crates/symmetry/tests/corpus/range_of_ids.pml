/* order: 12
   Two classes of ids told apart by an order. */
byte t = 9;
active [5] proctype p() { do :: atomic { t == 9 -> t = _pid } :: t < 2 -> t = 9 :: t >= 2 && t < 9 -> t = 9; t = 9 od }
