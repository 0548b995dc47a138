// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.io.TempDir;

/** Runs the jobs' command lines with Hadoop's local runner on files of this machine. */
abstract class LocalJobCase {
    @TempDir
    Path folder;

    /** Writes an input file in the folder {@code in}, or another file. */
    Path write(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, String.join("\n", lines) + "\n");
    }

    /** Runs a job over the folder {@code in}; returns the lines of its part files. */
    List<String> run(JobTool job, String output, String... options) throws Exception {
        assertThat(exitCode(job, output, options)).isZero();
        return lines(folder.resolve(output));
    }

    int exitCode(JobTool job, String output, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("-Dmapreduce.client.progressmonitor.pollinterval=10"));
        words.addAll(List.of(options));
        words.addAll(
                List.of(folder.resolve("in").toString(), folder.resolve(output).toString()));
        Configuration conf = new Configuration();
        conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
        conf.set("mapreduce.framework.name", "local");
        return ToolRunner.run(conf, job, words.toArray(new String[0]));
    }

    static List<String> lines(Path output) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> parts = Files.list(output)) {
            for (Path part : parts.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .sorted()
                    .toList()) {
                lines.addAll(Files.readAllLines(part));
            }
        }
        return lines;
    }
}
