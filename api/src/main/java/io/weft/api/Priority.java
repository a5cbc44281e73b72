package io.weft.api;

/**
 * How the engine's queue orders transfers to one peer: a higher class is posted first; within a class first come, first
 * served. A running lower class is not interrupted. No class starves for ever: each eighth turn goes to the lowest
 * waiting one.
 *
 * @since 0.1
 */
public enum Priority {
    /** Somebody waits for a token: first bytes of a request, control data. */
    URGENT,
    /** The default. */
    NORMAL,
    /** Background: prefetch, write-back to a cache tier. */
    BULK
}
