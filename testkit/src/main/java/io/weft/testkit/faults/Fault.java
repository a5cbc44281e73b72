package io.weft.testkit.faults;

/** What can be made to go wrong. All but {@link #DUPLICATE} is what a real fabric may do. */
public enum Fault {
    /** The operation is accepted, and reaches the fabric later: its bytes move late, and after those of younger operations. */
    DELAY_POST,
    /** The bytes move at once, the completion comes late. */
    DELAY_COMPLETION,
    /** The completion changes places with the next one of the link. */
    REORDER,
    /** The bytes move and the completion is lost; only a fence brings it. */
    DROP,
    /** The operation never reaches the fabric and is not completed until a fence: a peer that has stopped. */
    STALL,
    /** The completion comes twice: a breach of the SPI that core survives by its slot generations. */
    DUPLICATE,
    /** The operation fails with FABRIC and no byte moves. */
    FAIL_BEFORE,
    /** The operation fails with FABRIC though its bytes moved. */
    FAIL_AFTER,
    /** The post is refused for lack of credit, which comes a little later. */
    REFUSE,
    /** The link goes down; accepted operations end with PEER_LOST or as they would have. */
    LINK_DOWN
}
