// safety holds; never_0 violated
// The `else` of an inner selection of a claim does not ask about the options behind it.
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
accept_bad: do :: true od
}
