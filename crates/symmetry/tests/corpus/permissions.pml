/* order: 2 */
bit allowed[3] = { 1, 1, 0 }; byte n;
active [3] proctype p() { do :: allowed[_pid] -> n++; n-- od }
