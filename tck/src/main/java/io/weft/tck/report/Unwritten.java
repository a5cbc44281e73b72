package io.weft.tck.report;

/**
 * A part of a backend that is not there yet.
 *
 * @param step the step it belongs to
 * @param method such as {@code Backend.register}
 * @param seen what it did instead
 */
public record Unwritten(Step step, String method, String seen) {}
