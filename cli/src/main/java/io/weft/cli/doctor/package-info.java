/** What {@code weft doctor} looks at. Each check reads the host through {@link io.weft.cli.doctor.Host} and changes nothing. */
@NullMarked
package io.weft.cli.doctor;

import org.jspecify.annotations.NullMarked;
