/* expect never violated violated */
byte a[2];
byte k;
active proctype P() { k = 1; k = 2 }
never { do :: a[k] == 0 od }
