/** What an engine was told, as plain values. */
@NullMarked
package io.weft.engine.internal.settings;

import org.jspecify.annotations.NullMarked;
