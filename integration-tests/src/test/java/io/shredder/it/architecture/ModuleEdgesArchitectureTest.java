// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The edges between modules that Maven can't see, because the class paths of the programs hold everything. */
class ModuleEdgesArchitectureTest {
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(file -> !file.contains("-tests.jar")) // Test code that trials and benches call.
            .importPackages("io.shredder");

    @Test
    void chunkCoreNeedsTheJdkOnly() {
        check(classes()
                .that()
                .resideInAnyPackage("io.shredder.chunk..", "io.shredder.release..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.shredder.chunk..", "io.shredder.release..", "java..", "org.jspecify.."));
    }

    @Test
    void theEngineNeedsNoOtherModuleThanChunkCore() {
        onlyUses("io.shredder.engine..", "io.shredder.chunk..");
    }

    @Test
    void theEngineKnowsNoBackup() {
        check(noClasses()
                .that(resideInAPackage("io.shredder.engine..")
                        .and(not(resideInAPackage("io.shredder.engine.region.."))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.shredder.engine.region.."));
    }

    @Test
    void incHdfsNeedsTheEngineAndChunkCore() {
        onlyUses("io.shredder.hdfs..", "io.shredder.engine..", "io.shredder.chunk..");
    }

    @Test
    void hdfsCoderNeedsTheEngineAlone() {
        onlyUses("io.shredder.hdfscoder..", "io.shredder.engine..");
    }

    @Test
    void incrementalJobsReadManifestsAndNeverClassesOfIncHdfs() {
        onlyUses("io.shredder.incoop..", "io.shredder.chunk..");
    }

    @Test
    void fieldsOfMessagesAndFilesNeedChunkCoreAlone() {
        onlyUses("io.shredder.backup.bytes..", "io.shredder.chunk..");
    }

    @Test
    void chunksAndSnapshotsAsTheyAreKeptAreValuesOfFields() {
        onlyUses("io.shredder.backup.region..", "io.shredder.backup.bytes..", "io.shredder.chunk..");
        onlyUses("io.shredder.backup.snapshot..", "io.shredder.backup.bytes..", "io.shredder.chunk..");
    }

    @Test
    void howKeepersStandIsAValueOfFields() {
        onlyUses("io.shredder.backup.keepers..", "io.shredder.backup.bytes..", "io.shredder.chunk..");
    }

    @Test
    void theWireProtocolKnowsNeitherEnd() {
        onlyUses(
                "io.shredder.backup.wire..",
                "io.shredder.backup.bytes..",
                "io.shredder.backup.keepers..",
                "io.shredder.backup.region..",
                "io.shredder.backup.snapshot..",
                "io.shredder.chunk..");
    }

    @Test
    void whatTheBackupCommandsShareKnowsTheProtocolOnly() {
        onlyUses(
                "io.shredder.backup.command..",
                "io.shredder.backup.bytes..",
                "io.shredder.backup.snapshot..",
                "io.shredder.backup.wire..",
                "io.shredder.chunk..");
    }

    @Test
    void derivingKeysNeedsThePlatformOnly() {
        onlyUses("io.shredder.backup.keys..");
    }

    @Test
    void askingTheCLibraryNeedsThePlatformOnly() {
        onlyUses("io.shredder.backup.posix..");
    }

    @Test
    void showingFiguresKnowsHowKeepersStand() {
        onlyUses("io.shredder.backup.monitoring..", "io.shredder.backup.keepers..", "io.shredder.backup.wire");
    }

    @Test
    void whatConsolesShareKnowsPagesAndNames() {
        onlyUses(
                "io.shredder.backup.console..",
                "io.shredder.backup.monitoring..",
                "io.shredder.backup.snapshot..",
                "io.shredder.backup.wire");
    }

    @Test
    void settingAMachineUpKnowsOfTheRestHowPlacesAreNamed() {
        onlyUses("io.shredder.backup.setup..", "io.shredder.backup.wire");
    }

    @Test
    void whatReadsConfigurationsKnowsOnlyHowCommandsTellProblems() {
        onlyUses("io.shredder.backup.config..", "io.shredder.backup.command..");
    }

    @Test
    void holdingBytesBackNeedsThePlatformOnly() {
        onlyUses("io.shredder.backup.pace..");
    }

    @Test
    void whatStartsWorkAtItsTimesKnowsNothingOfTheWork() {
        onlyUses(
                "io.shredder.backup.schedule..",
                "io.shredder.backup.command..",
                "io.shredder.backup.config..",
                "io.shredder.backup.pace..");
    }

    @Test
    void careOfBothDaemonsKnowsTheProtocolOnly() {
        onlyUses("io.shredder.backup.care..", "io.shredder.backup.schedule..", "io.shredder.backup.wire");
    }

    @Test
    void theAgentsClientKnowsTheProtocolOnly() {
        onlyUses(
                "io.shredder.backup.client..",
                "io.shredder.backup.pace..",
                "io.shredder.backup.bytes..",
                "io.shredder.backup.keepers..",
                "io.shredder.backup.region..",
                "io.shredder.backup.snapshot..",
                "io.shredder.backup.wire..",
                "io.shredder.chunk..");
    }

    @Test
    void theAgentKnowsOfTheEngineItsDigestsAndItsErasureCoderAlone() {
        onlyUses(
                "io.shredder.backup.agent..",
                "io.shredder.backup.care..",
                "io.shredder.backup.command..",
                "io.shredder.backup.config..",
                "io.shredder.backup.console..",
                "io.shredder.backup.pace..",
                "io.shredder.backup.schedule..",
                "io.shredder.backup.keys..",
                "io.shredder.backup.monitoring..",
                "io.shredder.backup.posix..",
                "io.shredder.backup.setup..",
                "io.shredder.backup.bytes..",
                "io.shredder.backup.keepers..",
                "io.shredder.backup.region..",
                "io.shredder.backup.snapshot..",
                "io.shredder.backup.wire..",
                "io.shredder.backup.client..",
                "io.shredder.engine", // MemoryDigests: backup-agent's own rules.
                "io.shredder.engine.coding..",
                "io.shredder.chunk..");
    }

    @Test
    void whatSealsBackupsKnowsWhatIsKeptAndTheEnginesDigests() {
        onlyUses(
                "io.shredder.backup.seal..",
                "io.shredder.backup.keys..",
                "io.shredder.backup.bytes..",
                "io.shredder.backup.region..",
                "io.shredder.backup.snapshot..",
                "io.shredder.backup.posix", // DirectMemory.
                "io.shredder.engine", // MemoryDigests.
                "io.shredder.engine.region..",
                "io.shredder.chunk..");
    }

    @Test
    void theBackupServerNeverSeesInsideTheAgent() {
        onlyUses(
                "io.shredder.backup.server..",
                "io.shredder.backup.agent", // LocalAgent alone: backup-server's own rules.
                "io.shredder.backup.care..",
                "io.shredder.backup.pace..",
                "io.shredder.backup.schedule..",
                "io.shredder.backup.command..",
                "io.shredder.backup.config..",
                "io.shredder.backup.console..",
                "io.shredder.backup.bytes..",
                "io.shredder.backup.keepers..",
                "io.shredder.backup.region..",
                "io.shredder.backup.snapshot..",
                "io.shredder.backup.wire..",
                "io.shredder.backup.client..",
                "io.shredder.backup.monitoring..",
                "io.shredder.backup.posix..",
                "io.shredder.backup.setup..",
                "io.shredder.backup.seal..",
                "io.shredder.engine..",
                "io.shredder.chunk..");
    }

    @Test
    void noProductClassNeedsTheIntegrationTests() {
        check(noClasses()
                .that(not(resideInAPackage("io.shredder.it..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.shredder.it.."));
    }

    @Test
    void modulesHaveNoCycles() {
        check(slices().matching("io.shredder.(*)..").should().beFreeOfCycles());
    }

    @Test
    void packagesOfTheBackupModulesHaveNoCycles() {
        check(slices().matching("io.shredder.backup.(*)..").should().beFreeOfCycles());
    }

    /**
     * Classes of the package use, of all the project's packages, their own and the allowed ones alone; and any may say
     * which release it is of.
     */
    private static void onlyUses(String ownPackage, String... allowed) {
        check(noClasses()
                .that()
                .resideInAPackage(ownPackage)
                .should()
                .dependOnClassesThat(resideInAPackage("io.shredder..")
                        .and(not(resideInAnyPackage(ownPackage, "io.shredder.release..")))
                        .and(not(resideInAnyPackage(allowed)))));
    }

    private static void check(ArchRule rule) {
        rule.check(ALL);
    }
}
