/**
 * The bootstrap registry, where prefill ranks say where they are and decode ranks ask: an HTTP server that speaks SGLang's routes, and
 * the client. Routes and JSON are described in {@code docs/bootstrap.md}.
 */
@NullMarked
package io.weft.bootstrap;

import org.jspecify.annotations.NullMarked;
