package io.weft.tck;

/** How much a run tries. */
public enum Profile {
    /** Every rule in its smallest permutation, at most 90 s. */
    QUICK,
    /** Every two values of different axes meet at least once, at most 5 min. */
    STANDARD,
    /** Every permutation. */
    FULL
}
