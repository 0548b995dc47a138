// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs the command as a process of its own, as users meet it. */
final class ShredderProcess {

    record Result(int exitCode, String out, String err) {}

    private final Path folder;

    /** Keeps what the processes print in this folder. */
    ShredderProcess(Path folder) {
        this.folder = folder;
    }

    Result run(String... arguments) throws Exception {
        return run(List.of(arguments), Map.of("SHREDDER_BACKEND", ""));
    }

    Result run(List<String> arguments, Map<String, String> environment) throws Exception {
        File out = folder.resolve("out").toFile();
        File err = folder.resolve("err").toFile();
        ProcessBuilder builder = command(arguments).redirectOutput(out).redirectError(err);
        builder.environment().putAll(environment);
        int exitCode = builder.start().waitFor();
        return new Result(exitCode, read(out), read(err));
    }

    static ProcessBuilder command(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j.configuration=io/shredder/engine/cli/log4j.properties",
                "-cp",
                System.getProperty("java.class.path"),
                ShredderCommand.class.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    static String read(File file) throws IOException {
        return Files.readString(file.toPath(), StandardCharsets.UTF_8);
    }
}
