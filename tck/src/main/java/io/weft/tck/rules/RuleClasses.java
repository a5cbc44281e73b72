package io.weft.tck.rules;

import java.util.List;

/** Every class of rules, for programs that run them. */
public final class RuleClasses {
    /** In the order of the contract. */
    public static final List<Class<?>> ALL = List.of(
            ErrorRules.class,
            MemoryRules.class,
            DescriptorRules.class,
            DataRules.class,
            ArgumentRules.class,
            CombinedRules.class,
            FailureRules.class,
            StatusRules.class,
            WaitRules.class,
            DeadlineRules.class,
            ResourceRules.class,
            ConcurrencyRules.class,
            CapabilityRules.class);

    private RuleClasses() {}
}
