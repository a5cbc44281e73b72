package io.weft.tck.rules;

import java.util.List;

/** Every class of rules, for programs that run them. */
public final class RuleClasses {
    /** In the order of the contract. */
    public static final List<Class<?>> ALL = List.of(
            ErrorRules.class,
            CodeRules.class,
            MemoryRules.class,
            RegionRules.class,
            DescriptorRules.class,
            DataRules.class,
            SourceRules.class,
            ArgumentRules.class,
            CombinedRules.class,
            FailureRules.class,
            StatusRules.class,
            WaitRules.class,
            CallbackRules.class,
            DeadlineRules.class,
            TargetRules.class,
            PeerRules.class,
            NotificationRules.class,
            ResourceRules.class,
            UsageRules.class,
            ConcurrencyRules.class,
            SharingRules.class,
            LifeRules.class,
            CapabilityRules.class,
            ConfigurationRules.class,
            AccessRules.class,
            HoldoutRules.class,
            TrustRules.class,
            SecrecyRules.class,
            DeviceRules.class,
            RoomRules.class,
            RankRules.class,
            LeaseRules.class,
            LayoutRules.class);

    private RuleClasses() {}
}
