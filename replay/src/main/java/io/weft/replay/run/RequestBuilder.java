package io.weft.replay.run;

/** Collects a {@link RequestRecord} while the request runs. Confined to the request's thread. */
final class RequestBuilder {
    final long room;
    long arrived;
    long admitted;
    long computed;
    long transferred;
    long ended;
    long pages;
    long verified;
    long mismatched;
    long prefixPages;
    long bytes;
    String reason = "";

    RequestBuilder(long room) {
        this.room = room;
    }

    RequestRecord build() {
        return new RequestRecord(
                room,
                arrived,
                admitted,
                computed,
                transferred,
                ended,
                pages,
                verified,
                mismatched,
                prefixPages,
                bytes,
                reason);
    }
}
