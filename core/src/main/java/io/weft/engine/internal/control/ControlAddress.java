package io.weft.engine.internal.control;

/**
 * Where an engine is dialled.
 *
 * @param host numeric address, never a wildcard
 * @param port TCP port
 */
public record ControlAddress(String host, int port) {}
