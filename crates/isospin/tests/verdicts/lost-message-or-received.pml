// safety violated
// Full channels lose messages
// Whether a message is lost depends on whether the one before was received.
chan c = [1] of { byte }; bool sent;
active proctype A() { c!1; c!2; sent = true }
active proctype C() { c?_; sent; assert(empty(c)) }
