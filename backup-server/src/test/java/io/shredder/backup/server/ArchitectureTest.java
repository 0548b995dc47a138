// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The edges that Maven can't see. */
@AnalyzeClasses(packages = "io.shredder.backup.server", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule THE_SERVER_NEVER_USES_THE_AGENTS_OWN_CLASSES =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.shredder.backup.agent..");

    @ArchTest
    static final ArchRule THE_SERVER_LEAVES_SOCKETS_TO_THE_CLIENT_AND_TO_NBD_AND_MONITORING = noClasses()
            .that()
            .resideOutsideOfPackages("..server.source..", "..server.monitoring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "java.net..", "javax.net..");
}
