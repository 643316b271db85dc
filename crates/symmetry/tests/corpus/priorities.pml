/* order: 4
   Two classes of priority. */
byte n;
active [2] proctype p() priority 2 { do :: n++; n-- od }
active [2] proctype q() priority 3 { do :: n++; n-- od }
