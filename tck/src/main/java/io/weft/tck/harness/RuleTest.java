package io.weft.tck.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that proves a rule in every case of the profile. The method may take a {@link Rig}, a {@link Shape} (then it runs for
 * every shape of the profile) and the {@link Run}, and is named by its rule, as {@code wr1_...}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(RuleExtension.class)
@Timeout(180)
public @interface RuleTest {
    /**
     * The rule.
     *
     * @return its id
     */
    String value();

    /**
     * Where it can be tried; {@code quick} takes the first that the backend can reach.
     *
     * @return topologies in order of preference
     */
    Topology[] topologies() default {Topology.PAIR, Topology.PROCESS, Topology.SELF};

    /**
     * Whether it has to be tried for every pair of memory kinds that the backend declares, not only for the first.
     *
     * @return true for rules about bytes
     */
    boolean everyKind() default false;
}
