/**
 * Backends as the engine holds them: opened with a context, called behind a guard (rule ERR-3), completions taken by token,
 * progress driven. Knows no transfers and no peers' state.
 */
@NullMarked
package io.weft.engine.internal.backend;

import org.jspecify.annotations.NullMarked;
