// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.it.exact.cases.JobCase.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AllCasesTest {
    private static final Path SOURCES = Path.of("src/jobs/java");

    @Test
    void noTwoCasesHaveTheSameName() {
        assertThat(AllCases.cases().stream().map(JobCase::name)).doesNotHaveDuplicates();
    }

    @Test
    void everySmallJobIsTriedAndEveryTriedOneIsThere() throws IOException {
        Set<String> tried = AllCases.cases().stream()
                .filter(job -> job.origin() == Origin.ACME)
                .map(JobCase::program)
                .collect(Collectors.toSet());

        assertThat(tried).containsExactlyInAnyOrderElementsOf(smallJobs()).hasSizeGreaterThan(40);
    }

    private static List<String> smallJobs() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java") && extendsAJob(file))
                    .map(file -> SOURCES.relativize(file).toString().replace('/', '.'))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .filter(name -> !name.startsWith("net.acme.avro."))
                    .toList();
        }
    }

    private static boolean extendsAJob(Path file) {
        try {
            return Files.readString(file).matches("(?s).*final class \\w+ extends (AcmeJob|OldJob) .*");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
