// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import io.shredder.it.exact.cases.JobCase.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The jars of the programs, none of which is on this process's class path. */
public final class ProgramJars {
    private final Path acme;
    private final Path examples;
    private final Path streaming;
    private final Path avro;

    /**
     * Those of a build.
     *
     * @param target the module's folder of that name
     */
    public ProgramJars(Path target) throws IOException {
        this.acme = only(target, "-jobs.jar");
        Path apps = target.resolve("apps");
        this.examples = only(apps, "hadoop-mapreduce-examples-");
        this.streaming = only(apps, "hadoop-streaming-");
        this.avro = only(apps, "avro-mapred-");
    }

    /** The jar of these classes themselves. */
    static Path ownIn(Path target) throws IOException {
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file ->
                            String.valueOf(file.getFileName()).matches("integration-tests-[\\d.]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no jar of this module in " + target + "; run ./run build"));
        }
    }

    private static Path only(Path folder, String part) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                List<Path> found = files.filter(
                                file -> String.valueOf(file.getFileName()).contains(part))
                        .toList();
                if (found.size() == 1) {
                    return found.get(0);
                }
                if (found.size() > 1) {
                    throw new IOException("more than one jar '*" + part + "*': remove " + folder + "; run ./run build");
                }
            }
        }
        throw new IOException("no jar '*" + part + "*' in " + folder + "; run ./run build");
    }

    /** The jar of small jobs. */
    public Path acme() {
        return acme;
    }

    /** The class path of a program. */
    List<Path> of(Origin origin) {
        return switch (origin) {
            case EXAMPLES -> List.of(acme, examples);
            case STREAMING -> List.of(streaming);
            case AVRO -> List.of(acme, avro);
            case ACME -> List.of(acme);
        };
    }
}
