// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.shredder.backup.agent.session.ClientSession;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.Shredder;
import io.shredder.hdfs.IncFsShell;
import io.shredder.hdfscoder.RsShredderFactory;
import io.shredder.incoop.IncoopProtocolProvider;
import io.shredder.it.Measure;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for every package of the project, whichever module it is of. */
class PackagesArchitectureTest {

    /** A newcomer can hold as many in mind. */
    private static final int MOST_TYPES = 30;

    /** The index, which is one concept with a type for each of its parts. */
    private static final Set<String> LARGER_PACKAGES = Set.of("io.shredder.backup.agent.index");

    private static final List<Class<?>> ONE_OF_EACH_MODULE = List.of(
            Fingerprint.class,
            Shredder.class,
            IncFsShell.class,
            RsShredderFactory.class,
            IncoopProtocolProvider.class,
            ClientSession.class,
            AgentClient.class,
            BackupSession.class,
            Measure.class);

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(file -> !file.contains("-tests.jar")) // Test code that trials and benches call.
            .withImportOption(file -> !file.contains("/io/shredder/incoop/watch/asm/")) // ASM, shaded
            .importPackages("io.shredder");

    @Test
    void allModulesAreLookedAt() {
        assertThat(ONE_OF_EACH_MODULE).allMatch(ALL::contain);
        assertThat(ALL.contain("io.shredder.incoop.watch.JvmWatch")).isTrue();
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.shredder.(**)").should().beFreeOfCycles().check(ALL);
    }

    @Test
    void aPackageHasAtMost30Types() {
        Map<String, Long> types = types().collect(groupingBy(JavaClass::getPackageName, TreeMap::new, counting()));
        types.keySet().removeAll(LARGER_PACKAGES);
        types.values().removeIf(count -> count <= MOST_TYPES);
        assertThat(types).isEmpty();
    }

    @Test
    void noTwoTypesHaveOneName() {
        Map<String, Set<String>> packages = types().collect(groupingBy(
                JavaClass::getSimpleName,
                TreeMap::new,
                mapping(JavaClass::getPackageName, toCollection(TreeSet::new))));
        packages.values().removeIf(places -> places.size() == 1);
        assertThat(packages).isEmpty();
    }

    /** Without nested types and descriptions of packages. */
    private static Stream<JavaClass> types() {
        return ALL.stream().filter(JavaClass::isTopLevelClass).filter(type -> !type.getSimpleName()
                .equals("package-info"));
    }
}
