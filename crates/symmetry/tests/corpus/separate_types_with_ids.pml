/* order: 6
   Generated style: one proctype for each process, literals for ids, distinct channels. */
chan c0 = [1] of { byte }; chan c1 = [1] of { byte }; chan c2 = [1] of { byte };
byte t = 9;
active proctype P_0() { do :: c1!0 :: c2!0 :: c0?t -> t = 9 od }
active proctype P_1() { do :: c0!1 :: c2!1 :: c1?t -> t = 9 od }
active proctype P_2() { do :: c0!2 :: c1!2 :: c2?t -> t = 9 od }
