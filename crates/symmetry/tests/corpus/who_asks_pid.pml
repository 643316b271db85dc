/* order: 6 */
chan ask = [0] of { pid }; chan say[4] = [0] of { bit };
active proctype server() { pid who; do :: ask?who; say[who]!1 od }
active [3] proctype client() { do :: ask!_pid; say[_pid]?_ od }
