// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.shredder.backup.agent.LocalAgent;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.cli.option.SourceOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The edges that Maven can't see. */
@AnalyzeClasses(packages = "io.shredder.backup.server", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule THE_SERVER_KNOWS_OF_THE_AGENTS_OWN_CLASSES_ONE_WAY_TO_OPEN_A_REPOSITORY = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("io.shredder.backup.agent..").and(not(type(LocalAgent.class))));

    @ArchTest
    static final ArchRule WHERE_SNAPSHOTS_ARE_IS_DECIDED_IN_ONE_PLACE = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(SourceOptions.class.getName())
            .should()
            .dependOnClassesThat(type(LocalAgent.class));

    @ArchTest
    static final ArchRule THE_SERVER_LEAVES_SOCKETS_TO_THE_CLIENT_AND_TO_NBD_AND_MONITORING = noClasses()
            .that()
            .resideOutsideOfPackages("..server.source..", "..server.monitoring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "java.net..", "javax.net..");

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("io.shredder.backup.server.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule COMMANDS_ARE_KNOWN_BY_NOBODY = noClasses()
            .that()
            .resideOutsideOfPackage("..server.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..server.cli..");

    @ArchTest
    static final ArchRule WHAT_READS_SNAPSHOTS_MAKES_NONE = noClasses()
            .that()
            .resideInAnyPackage("..server.restore..", "..server.targets..", "..server.snapshot..", "..server.text..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..server.backup..", "..server.job..", "..server.transfer..");

    /** A newcomer can hold as many in mind. Nested types don't count, nor do descriptions of packages. */
    @ArchTest
    static void aPackageHasAtMost30Types(JavaClasses all) {
        Map<String, Long> types = all.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .filter(type -> type.getPackageName().startsWith("io.shredder.backup.server"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
        assertThat(types).containsKey(BackupSession.class.getPackageName());
        assertThat(types).allSatisfy((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(30));
    }
}
