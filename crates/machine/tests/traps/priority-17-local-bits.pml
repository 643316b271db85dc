// Local bits and priorities.
// The record is made with -DNOCOMP: SPIN's verifier otherwise takes the byte of l for padding and sees one state only.
byte x;
active proctype P() priority 3 { bool l; do :: l = 1 :: l -> break od }
