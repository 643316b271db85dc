/* expect never violated violated */
bit g;
active proctype P() { do :: g = 1 - g od }
never {
T: if
   :: do
      :: g == 2 -> break
      :: else -> goto accept_bad
      od
   :: true -> goto T
   fi;
   goto T;
accept_bad: goto accept_bad
}
