// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.shredder.engine.MemoryDigests;
import io.shredder.engine.NativeLibrary;
import io.shredder.engine.ShredderException;

/** The edges that Maven can't see. */
@AnalyzeClasses(packages = "io.shredder.backup", importOptions = ImportOption.DoNotIncludeTests.class)
class AgentArchitectureTest {

    @ArchTest
    static final ArchRule THE_PROTOCOL_KNOWS_NEITHER_SIDE = noClasses()
            .that()
            .resideInAPackage("io.shredder.backup.wire..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.shredder.backup.client..", "io.shredder.backup.agent..", "io.shredder.backup.command..");

    @ArchTest
    static final ArchRule WHAT_IS_KEPT_KNOWS_NO_MESSAGE = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.shredder.backup.bytes..",
                    "io.shredder.backup.region..",
                    "io.shredder.backup.snapshot..",
                    "io.shredder.backup.agent..")
            .and()
            .resideOutsideOfPackages(
                    "io.shredder.backup.agent",
                    "io.shredder.backup.agent.care..",
                    "io.shredder.backup.agent.cli..",
                    "io.shredder.backup.agent.console..",
                    "io.shredder.backup.agent.dispersal.remote..",
                    "io.shredder.backup.agent.keep..",
                    "io.shredder.backup.agent.lend..",
                    "io.shredder.backup.agent.net..",
                    "io.shredder.backup.agent.session..",
                    "io.shredder.backup.agent.verify..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.shredder.backup.wire..");

    @ArchTest
    static final ArchRule THE_CLIENT_DOES_NOT_KNOW_THE_AGENT = noClasses()
            .that()
            .resideInAPackage("io.shredder.backup.client..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.shredder.backup.agent..", "io.shredder.backup.command..");

    @ArchTest
    static final ArchRule THE_AGENT_DOES_NOT_KNOW_THE_CLIENT = noClasses()
            .that()
            .resideInAPackage("io.shredder.backup.agent..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.shredder.backup.client..");

    @ArchTest
    static final ArchRule STORAGE_KNOWS_NO_NETWORK = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.shredder.backup.agent.container..",
                    "io.shredder.backup.agent.index..",
                    "io.shredder.backup.agent.catalogue..",
                    "io.shredder.backup.agent.file..",
                    "io.shredder.backup.agent.lists..",
                    "io.shredder.backup.agent.storage..",
                    "io.shredder.backup.agent.store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..");

    @ArchTest
    static final ArchRule OF_THE_AGENT_ONLY_DAEMONS_AND_THE_WAY_TO_KEEPERS_KNOW_CONNECTIONS = noClasses()
            .that()
            .resideInAPackage("io.shredder.backup.agent..")
            .and()
            .resideOutsideOfPackages(
                    "io.shredder.backup.agent.net..",
                    "io.shredder.backup.agent.keep..",
                    "io.shredder.backup.agent.lend..",
                    "io.shredder.backup.agent.dispersal.remote..",
                    "io.shredder.backup.agent.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "io.shredder.backup.agent.net..");

    @ArchTest
    static final ArchRule COMMANDS_ARE_KNOWN_BY_NOBODY = noClasses()
            .that()
            .resideOutsideOfPackage("io.shredder.backup.agent.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.shredder.backup.agent.cli..");

    @ArchTest
    static final ArchRule ONLY_COMMANDS_PRINT = noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Command")
            .and()
            .resideOutsideOfPackage("io.shredder.backup.command..")
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err");

    @ArchTest
    static final ArchRule ONLY_CERTS_USE_BOUNCY_CASTLE = noClasses()
            .that()
            .resideOutsideOfPackage("io.shredder.backup.agent.certs..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.bouncycastle..");

    @ArchTest
    static final ArchRule ONLY_STORES_IN_OBJECT_STORES_USE_THEIR_CLIENT = noClasses()
            .that()
            .resideOutsideOfPackage("io.shredder.backup.agent.s3..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("software.amazon.awssdk..");

    @ArchTest
    static final ArchRule OF_THE_ENGINE_ONLY_DIGESTS_OF_MEMORY_AND_THE_CODER_ARE_USED = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("io.shredder.engine..")
                    .and(not(type(MemoryDigests.class)
                            .or(resideInAPackage("io.shredder.engine.coding.."))
                            .or(type(NativeLibrary.class))
                            .or(type(ShredderException.class)))));
}
