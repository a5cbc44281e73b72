package io.weft.cli.doctor;

import java.util.List;
import java.util.Set;

/** The clock that every deadline is read from. */
record ClockCheck() implements Check {
    private static final Set<String> CHEAP =
            Set.of("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page");

    @Override
    public List<Finding> run(Host host) {
        String source = host.read("/sys/devices/system/clocksource/clocksource0/current_clocksource")
                .orElse("unknown");
        return List.of(
                CHEAP.contains(source)
                        ? Finding.ok("clock", "the clock source is " + source)
                        : Finding.warning(
                                "clock",
                                "the clock source is " + source + ", and reading it may cost a system call",
                                "latencies will look worse than they are; boot with clocksource=tsc where the processor allows"
                                        + " it"));
    }
}
