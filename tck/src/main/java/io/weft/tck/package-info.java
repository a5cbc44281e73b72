/**
 * The compatibility kit: proves for a backend, through the engine that applications use, every rule of the transfer contract, and
 * writes a certificate. {@link io.weft.tck.Tck} runs it from a program; as tests it is run by JUnit.
 */
@NullMarked
package io.weft.tck;

import org.jspecify.annotations.NullMarked;
