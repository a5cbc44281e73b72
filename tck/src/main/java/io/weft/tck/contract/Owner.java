package io.weft.tck.contract;

/** Whose code has to be right for a rule to hold. */
public enum Owner {
    /** Core's transfer engine. */
    ENGINE,
    /** The backend under test. */
    BACKEND,
    /** Both together. */
    BOTH,
    /** The KV layer above the engine. */
    KV
}
