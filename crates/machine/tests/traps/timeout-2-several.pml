// Several processes can use the same timeout; each is then possible.
byte x;
active [2] proctype P() { timeout; x++ }
