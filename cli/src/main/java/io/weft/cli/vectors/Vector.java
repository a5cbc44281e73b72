package io.weft.cli.vectors;

import tools.jackson.databind.JsonNode;

/**
 * One vector of a file.
 *
 * @param section the key under which the file lists it
 * @param kind what is tested
 * @param name its name in the file
 * @param body inputs and what is expected
 */
record Vector(String section, String kind, String name, JsonNode body) {}
