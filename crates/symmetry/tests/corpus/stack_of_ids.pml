/* order: 2, processes: 6
   An empty place holds 0, which names process 0; that it is empty is told by `top`, which is not seen through. */
byte stack[3]; byte top;
active [3] proctype p() { do :: atomic { top < 3 -> stack[top] = _pid; top++ } :: atomic { top > 0 -> top--; stack[top] = 0 } od }
