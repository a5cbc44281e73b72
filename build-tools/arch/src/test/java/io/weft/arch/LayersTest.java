package io.weft.arch;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom: section 2 of the design. */
@AnalyzeClasses(packages = "io.weft", importOptions = ImportOption.DoNotIncludeTests.class)
class LayersTest {

    private static final String[] HTTP_AND_JSON = {
        "com.sun.net.httpserver..", "java.net.http..", "tools.jackson..", "com.fasterxml..",
    };

    @ArchTest
    static final ArchRule apiDependsOnJSpecifyOnly = classes()
            .that()
            .resideInAnyPackage("io.weft.api..", "io.weft.spi..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("io.weft.api..", "io.weft.spi..", "java..", "org.jspecify.."));

    @ArchTest
    static final ArchRule nativeSupportAndTestkitSeeTheApiOnly = noClasses()
            .that()
            .resideInAnyPackage("io.weft.ffi..", "io.weft.testkit..")
            .should()
            .dependOnClassesThat(weftOtherThan("io.weft.api..", "io.weft.spi..", "io.weft.ffi..", "io.weft.testkit.."));

    @ArchTest
    static final ArchRule backendsSeeNothingOfCore = noClasses()
            .that()
            .resideInAPackage("io.weft.backend..")
            .should()
            .dependOnClassesThat(weftOtherThan("io.weft.api..", "io.weft.spi..", "io.weft.ffi..", "io.weft.backend.."));

    @ArchTest
    static final ArchRule backendsDependOnNoLibraryButMsgpack = noClasses()
            .that()
            .resideInAPackage("io.weft.backend..")
            .should()
            .dependOnClassesThat(not(resideInAnyPackage("io.weft..", "java..", "org.jspecify..", "org.msgpack..")));

    @ArchTest
    static final ArchRule engineKnowsNothingOfWhatStandsOnIt = noClasses()
            .that()
            .resideInAnyPackage("io.weft.engine..", "io.weft.discovery..", "io.weft.config..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.weft.kv..", "io.weft.bootstrap..", "io.weft.guice..")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("com.google.inject..", "org.zeromq..")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage(HTTP_AND_JSON);

    @ArchTest
    static final ArchRule telemetryStandsBelowEverything = noClasses()
            .that()
            .resideInAPackage("io.weft.telemetry..")
            .should()
            .dependOnClassesThat(weftOtherThan("io.weft.api..", "io.weft.spi..", "io.weft.telemetry.."))
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage(HTTP_AND_JSON);

    @ArchTest
    static final ArchRule metricsLibrariesStayInOps = noClasses()
            .that()
            .resideOutsideOfPackage("io.weft.ops..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micrometer..", "io.prometheus..");

    @ArchTest
    static final ArchRule tracingLibrariesStayInOtel = noClasses()
            .that()
            .resideOutsideOfPackage("io.weft.otel..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.opentelemetry..");

    @ArchTest
    static final ArchRule guiceStaysInItsPackage = noClasses()
            .that()
            .resideOutsideOfPackage("io.weft.guice..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.google.inject..", "com.google.common..");

    @ArchTest
    static final ArchRule coreKnowsNothingOfBackendsAndTools = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.weft.engine..",
                    "io.weft.discovery..",
                    "io.weft.config..",
                    "io.weft.kv..",
                    "io.weft.bootstrap..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.weft.backend..", "io.weft.testkit..", "io.weft.tck..", "io.weft.cli..", "io.weft.ops..");

    @ArchTest
    static final ArchRule commandLineReachesBackendsThroughServiceLoaderOnly = noClasses()
            .that()
            .resideInAPackage("io.weft.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.weft.backend..");

    private static DescribedPredicate<JavaClass> weftOtherThan(String... packages) {
        return resideInAPackage("io.weft..")
                .and(not(resideInAnyPackage(packages)))
                .as("are Weft's and not in " + String.join(", ", packages));
    }
}
