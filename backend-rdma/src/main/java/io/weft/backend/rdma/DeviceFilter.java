package io.weft.backend.rdma;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which devices may be used: those named, or with a {@code ^} in front all but those; all if none is named.
 *
 * @param excludes whether the named ones are left out
 * @param names the named ones
 */
record DeviceFilter(boolean excludes, Set<String> names) {
    static DeviceFilter of(String text) {
        boolean excludes = text.startsWith("^");
        Set<String> names = Arrays.stream(text.substring(excludes ? 1 : 0).split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
        return new DeviceFilter(excludes || names.isEmpty(), names);
    }

    boolean accepts(String device) {
        return names.contains(device) != excludes;
    }
}
