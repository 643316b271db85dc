/* order: 6 */
bit stop;
active [3] proctype p() { { do :: skip od } unless { stop -> skip } }
active proctype q() { stop = 1 }
