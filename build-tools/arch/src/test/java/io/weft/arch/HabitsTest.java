package io.weft.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Random;
import java.util.Set;

/** What classes of some packages never do. */
@AnalyzeClasses(packages = "io.weft", importOptions = ImportOption.DoNotIncludeTests.class)
class HabitsTest {

    private static final String[] LIBRARIES = {
        "io.weft.api..",
        "io.weft.spi..",
        "io.weft.ffi..",
        "io.weft.backend..",
        "io.weft.engine..",
        "io.weft.discovery..",
        "io.weft.config..",
        "io.weft.kv..",
        "io.weft.bootstrap..",
        "io.weft.guice..",
        "io.weft.telemetry..",
        "io.weft.ops..",
        "io.weft.otel..",
    };

    private static final Set<String> AMBIENT = Set.of(
            "java.lang.System.getenv",
            "java.lang.System.getProperty",
            "java.lang.System.getProperties",
            "java.lang.Boolean.getBoolean",
            "java.lang.Integer.getInteger",
            "java.lang.Long.getLong");

    private static final Set<String> CLOCKS = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.time.Instant.now",
            "java.time.Clock.systemUTC",
            "java.lang.Math.random");

    /** Options reach a backend as values, so that {@code weft options} tells the whole truth about them. */
    @ArchTest
    static final ArchRule backendsReadNeitherEnvironmentNorProperties = noClasses()
            .that()
            .resideInAPackage("io.weft.backend..")
            .should()
            .callMethodWhere(isOneOf(AMBIENT, "reads environment or properties"));

    @ArchTest
    static final ArchRule plannersArePure = noClasses()
            .that()
            .resideInAPackage("io.weft.kv.plan..")
            .should()
            .callMethodWhere(isOneOf(CLOCKS, "asks a clock or for chance"))
            .orShould()
            .callMethodWhere(isOneOf(AMBIENT, "reads environment or properties"))
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.io..", "java.nio.channels..", "java.nio.file..", "java.net..", "java.util.concurrent..")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Thread.class, Random.class);

    @ArchTest
    static final ArchRule librariesPrintNothing = noClasses()
            .that()
            .resideInAnyPackage(LIBRARIES)
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace");

    @ArchTest
    static final ArchRule librariesLogThroughSystemLogger = noClasses()
            .that()
            .resideInAnyPackage(LIBRARIES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.slf4j..", "ch.qos.logback..", "java.util.logging..");

    @ArchTest
    static final ArchRule librariesNeverEndTheProcess = noClasses()
            .that()
            .resideInAnyPackage(LIBRARIES)
            .should()
            .callMethodWhere(isOneOf(
                    Set.of("java.lang.System.exit", "java.lang.Runtime.exit", "java.lang.Runtime.halt"),
                    "ends the process"));

    @ArchTest
    static final ArchRule nobodyUsesUnsafe =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("sun.misc..", "jdk.internal..");

    private static DescribedPredicate<JavaCall<?>> isOneOf(Set<String> methods, String what) {
        return describe(
                what,
                call -> methods.contains(
                        call.getTargetOwner().getName() + "." + call.getTarget().getName()));
    }
}
