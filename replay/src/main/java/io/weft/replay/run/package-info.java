/** The replay itself: arrivals, requests, breakage, tally. */
@NullMarked
package io.weft.replay.run;

import org.jspecify.annotations.NullMarked;
