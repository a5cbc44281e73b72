package io.weft.telemetry;

/**
 * One thing that was looked at to tell whether a process is healthy. Immutable.
 *
 * @param name what was looked at
 * @param ok whether it is as it should be
 * @param found what was found, and what to do if it is not
 * @since 0.1
 */
public record Check(String name, boolean ok, String found) {}
