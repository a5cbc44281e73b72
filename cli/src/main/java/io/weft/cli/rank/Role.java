package io.weft.cli.rank;

/** Side of a rank. */
public enum Role {
    /** Computes prompts and writes their pages. */
    PREFILL,
    /** Receives pages. */
    DECODE
}
