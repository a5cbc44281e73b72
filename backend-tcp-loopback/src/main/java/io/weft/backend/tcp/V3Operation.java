package io.weft.backend.tcp;

/** An accepted operation towards a plain peer: over when all its requests are. Recycled; guarded by its session. */
final class V3Operation {
    long token;
    int requestsLeft;
    int code;
    long nativeCode;

    void begin(long ofToken, int requests) {
        token = ofToken;
        requestsLeft = requests;
        code = 0;
        nativeCode = 0;
    }
}
