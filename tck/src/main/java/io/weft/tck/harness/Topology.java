package io.weft.tck.harness;

/** Where initiator and target are. */
public enum Topology {
    /** Two engines in this process. */
    PAIR,
    /** The target is in a process of its own. */
    PROCESS,
    /** One engine is both. */
    SELF
}
