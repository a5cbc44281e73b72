package io.weft.cli.doctor;

import java.util.List;

/** Looks at one side of a host. */
@FunctionalInterface
interface Check {
    /** What was found, at least one line; never throws for what a host lacks. */
    List<Finding> run(Host host);
}
