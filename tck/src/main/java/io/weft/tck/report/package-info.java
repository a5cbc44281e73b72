/** What a run found: verdicts, the certificate, the page, and failures that tell. */
@NullMarked
package io.weft.tck.report;

import org.jspecify.annotations.NullMarked;
