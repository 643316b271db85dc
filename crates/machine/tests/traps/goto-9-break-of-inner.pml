// break leaves the innermost loop only, also from a selection and an atomic inside.
byte x;
active proctype P() {
        do
        :: x < 4 ->
                do
                :: atomic { x++; if :: x % 2 == 0 -> break :: else fi }
                od
        :: else -> break
        od;
        assert(x == 4)
}
