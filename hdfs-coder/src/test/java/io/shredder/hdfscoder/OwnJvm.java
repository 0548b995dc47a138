// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Programs in a JVM of their own, with another class path than the tests have. */
final class OwnJvm {

    private OwnJvm() {}

    /** What came of one. */
    record Ended(int exitCode, String out, String err) {

        List<String> linesAboutTheCoder() {
            return err.lines().filter(line -> line.contains("Shredder")).toList();
        }
    }

    /** Those entries of the tests' own class path that are wanted. */
    static String classPath(Predicate<String> wanted) {
        return Arrays.stream(System.getProperty("java.class.path").split(":"))
                .filter(wanted)
                .collect(Collectors.joining(":"));
    }

    /** @param folder for what it prints */
    static Ended run(
            Path folder,
            String classPath,
            List<String> jvm,
            Map<String, String> environment,
            String mainClass,
            List<String> arguments)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m"));
        words.add("-Dlog4j.configuration=file:"
                + Path.of("src/test/resources/log4j.properties").toAbsolutePath());
        words.addAll(jvm);
        words.addAll(List.of("-cp", classPath, mainClass));
        words.addAll(arguments);
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        var builder = new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }
}
