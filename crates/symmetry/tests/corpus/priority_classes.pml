/* order: 12 */
byte n;
active [3] proctype low() priority 1 { do :: n < 2 -> n++ :: n > 0 -> n-- od }
active [2] proctype high() priority 5 { do :: n == 1 -> n = 2; n == 0 od }
