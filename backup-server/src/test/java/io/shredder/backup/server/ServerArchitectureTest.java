// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.shredder.backup.agent.LocalAgent;
import io.shredder.backup.server.cli.option.SourceOptions;

/** The edges that Maven can't see. */
@AnalyzeClasses(packages = "io.shredder.backup.server", importOptions = ImportOption.DoNotIncludeTests.class)
class ServerArchitectureTest {

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
    static final ArchRule THE_SERVER_LEAVES_SOCKETS_TO_WHO_NEEDS_THEM = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "..server.source..",
                    "..server.nbd..",
                    "..server.machine..",
                    "..server.running..",
                    "..server.monitoring..",
                    "..server.alert..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "java.net..", "javax.net..");

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
            .resideInAnyPackage(
                    "..server.restore..",
                    "..server.targets..",
                    "..server.snapshot..",
                    "..server.text..",
                    "..server.reader..",
                    "..server.live..",
                    "..server.nbd..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..server.backup..", "..server.job..", "..server.transfer..");
}
