// `c_state`: memory of C in the state and in a process, with initial values.
c_decl { typedef struct Coord { int x, y; } Coord; }
c_state "Coord pt" "Global"
c_state "short v[2]" "Global"
c_state "int z" "Local P" "5"
c_state "int start" "Global" "40"
byte out;
active [2] proctype P() {
  c_code { now.pt.x++; now.v[1] = now.pt.x * 2; PP->z += now.pt.x; };
  assert(c_expr { PP->z >= 6 && PP->z <= 7 });
  c_code { now.start++; now.out = now.start; };
  assert(out == 41 || out == 42)
}
