/* expect outside violated violated */
/* expect denied violated violated */
/* expect later violated violated */
/* expect guarded holds holds */
/* expect other holds holds */
byte a[2];
byte k;
active proctype P() {
	do
	:: k < 2 -> a[k] = 1; k++
	:: else -> break
	od
}
ltl outside { [] (a[k] < 2) }
ltl denied { [] !(a[k] == 2) }
ltl later { <> (a[k] == 3) }
ltl guarded { [] (k < 2 -> a[k] < 2) }
ltl other { [] (k < 3) }
