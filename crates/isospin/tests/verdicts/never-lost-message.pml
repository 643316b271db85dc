// safety violated
// Full channels lose messages
// The same where the message is not lost.
chan c = [1] of { byte }; bool sent;
active proctype A() { c!1; c!2; sent = true }
active proctype C() { c?_; sent; assert(nempty(c)) }
