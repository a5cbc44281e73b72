/** What a replay leaves behind: JSON and a page to look at. */
@NullMarked
package io.weft.replay.report;

import org.jspecify.annotations.NullMarked;
