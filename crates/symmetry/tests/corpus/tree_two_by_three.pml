/* order: 72 */
chan up[2] = [1] of { byte };
chan top = [1] of { byte };
proctype leaf(byte parent) { do :: up[parent]!1 od }
proctype middle(byte id) { do :: up[id]?_; top!1 od }
proctype root() { do :: top?_ od }
init { atomic { run root(); run middle(0); run middle(1);
  run leaf(0); run leaf(0); run leaf(0); run leaf(1); run leaf(1); run leaf(1) } }
