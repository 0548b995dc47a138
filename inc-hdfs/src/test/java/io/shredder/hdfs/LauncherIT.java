// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The two ways to the shell as a process: {@code bin/hdfs}, and a stock Hadoop with the shell profile and the jars. */
class LauncherIT extends HdfsCase {

    private static final Path LAUNCHER =
            Path.of("..", "bin", "hdfs").toAbsolutePath().normalize();
    private static final int TIMEOUT_SECONDS = 120;

    private record Ended(int exitCode, String out, String err) {}

    @Test
    void theLauncherUploadsAndListsChunks() throws Exception {
        Path source = write("a", TextFiles.lines(500_000, 1));
        Ended upload = end(start(Map.of(), dfs(arguments(source.toString(), "/upload/a"))));
        assertThat(upload.err()).isEmpty();
        assertThat(upload.exitCode()).isZero();
        assertThat(upload.out()).startsWith("/upload/a: ");

        Ended chunks = end(start(Map.of(), dfs("-chunks", "/upload/a")));
        assertThat(chunks.exitCode()).isZero();
        assertThat(chunks.out().lines()).hasSize(manifest("/upload/a").chunks().size());
    }

    @InTurn(days = 3)
    @Test
    void theLauncherTakesTheClusterFromTheConfigurationFolder() throws Exception {
        Path confFolder = configurationFolder();
        Ended listing = end(start(
                Map.of("HADOOP_CONF_DIR", confFolder.toString()),
                List.of(LAUNCHER.toString(), "dfs", "-ls", "-d", "/upload")));
        assertThat(listing.err()).isEmpty();
        assertThat(listing.out()).contains("/upload");
    }

    @InTurn(days = 3)
    @Test
    void aFileNameBeyondAsciiIsTakenUnderTheCLocaleToo() throws Exception {
        String script =
                "file=$1/$(printf '\\303\\244'); echo line >\"$file\"; shift; exec \"$@\" \"$file\" /upload/umlaut";
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash", local.toString()));
        command.addAll(dfs("-copyFromLocalGPU"));
        Ended upload = end(start(Map.of("LC_ALL", "POSIX"), command));
        assertThat(upload.exitCode()).as(upload.err()).isZero();
        assertThat(read("/upload/umlaut")).isEqualTo("line\n".getBytes(StandardCharsets.UTF_8));
    }

    private Path configurationFolder() throws IOException {
        Path confFolder = Files.createDirectories(local.resolve("conf"));
        String site = "<configuration><property><name>fs.defaultFS</name><value>" + fs.getUri()
                + "</value></property></configuration>";
        Files.writeString(confFolder.resolve("core-site.xml"), site);
        return confFolder;
    }

    @InTurn(days = 3)
    @Test
    void theLauncherReadsStandardInput() throws Exception {
        byte[] data = TextFiles.lines(300_000, 2);
        Path source = write("piped", data);
        Process process = builder(Map.of(), dfs(arguments("-", "/upload/piped")))
                .redirectInput(source.toFile())
                .start();
        assertThat(end(process).exitCode()).isZero();
        assertThat(read("/upload/piped")).isEqualTo(data);
        assertThat(manifest("/upload/piped").length()).isEqualTo(data.length);
    }

    @InTurn(days = 3)
    @Test
    void aForcedBackendRunsAndAnUnknownOneIsNamedInOneLine() throws Exception {
        Path source = write("a", TextFiles.lines(50_000, 4));
        Ended forced = end(start(Map.of("SHREDDER_BACKEND", "scalar"), dfs(arguments(source.toString(), "/upload/a"))));
        assertThat(forced.out()).contains("backend scalar\n");
        Ended unknown =
                end(start(Map.of("SHREDDER_BACKEND", "abacus"), dfs(arguments(source.toString(), "/upload/b"))));
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.err()).hasLineCount(1).contains("abacus");
    }

    @Test
    void anythingButDfsIsAUsageError() throws Exception {
        Ended run = end(start(Map.of(), List.of(LAUNCHER.toString(), "namenode")));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("usage: hdfs dfs");
    }

    @Test
    void itNamesItsVersionAndItsCommit() throws Exception {
        Ended run = end(start(Map.of(), List.of(LAUNCHER.toString(), "--version")));
        assertThat(run.out()).matches("hdfs [0-9.]+(-SNAPSHOT)? \\(([0-9a-f]{12}\\+?|unknown)\\)\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void anOlderJavaIsNamedInOneLineWhetherAFileOrTheProgramSaysItsVersion() throws Exception {
        Path home =
                Files.createDirectories(local.resolve("java").resolve("bin")).getParent();
        Path program = Files.writeString(home.resolve("bin/java"), "#!/bin/sh\necho 'java version \"1.8.0_2\"' >&2\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(refusalWith(home)).contains(program + " is Java 8: install a Java 17 runtime");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"11.0.2\"\n");
        assertThat(refusalWith(home)).contains(program + " is Java 11: install a Java 17 runtime");
    }

    private String refusalWith(Path javaHome) throws Exception {
        Ended run = end(start(Map.of("JAVA_HOME", javaHome.toString()), List.of(LAUNCHER.toString(), "dfs", "-ls")));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).hasLineCount(1);
        return run.err();
    }

    @Test
    void aConfigurationFolderThatIsNoneIsNamed() throws Exception {
        Ended run = end(start(Map.of("HADOOP_CONF_DIR", "/nowhere"), List.of(LAUNCHER.toString(), "dfs", "-ls")));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).hasLineCount(1).contains("/nowhere");
    }

    @Test
    void anInterruptedUploadLeavesNothingBehind() throws Exception {
        Path endless = local.resolve("large");
        try (RandomAccessFile file = new RandomAccessFile(endless.toFile(), "rw")) {
            file.setLength(64L << 30);
        }
        Process upload =
                start(Map.of(), dfs("-copyFromLocalGPU", "-inputFormat", "raw", endless.toString(), "/upload/a"));
        try {
            awaitTemporaryFile(upload);
        } finally {
            // The launcher has become java, so the signal reaches it. Java takes TERM and Ctrl-C the same way.
            new ProcessBuilder("kill", "-TERM", Long.toString(upload.pid()))
                    .start()
                    .waitFor();
        }
        assertThat(end(upload).exitCode()).isNotZero();
        assertThat(names("/upload")).isEmpty();
    }

    private void awaitTemporaryFile(Process upload) throws IOException {
        while (!fs.exists(path("/upload/.a.shredder-upload"))) {
            assertThat(upload.isAlive()).as("the upload still runs").isTrue();
        }
    }

    @Test
    void theShellProfileGivesAStockHadoopTheCommand() throws Exception {
        Path source = write("a", TextFiles.lines(500_000, 3));
        List<String> command =
                new ArrayList<>(List.of("bash", "src/test/resources/stock-hadoop.sh", stockHadoopJars(), "hdfs"));
        command.addAll(List.of("dfs", "-fs", fs.getUri().toString()));
        command.addAll(List.of(arguments(source.toString(), "/upload/a")));
        Ended upload = end(start(stockHadoop(Path.of("target/plugin").toAbsolutePath()), command));
        assertThat(upload.err()).isEmpty();
        assertThat(upload.exitCode()).isZero();
        assertThat(manifest("/upload/a").length()).isEqualTo(Files.size(source));
    }

    @InTurn(days = 3)
    @Test
    void theShellProfileWithoutItsJarsLeavesTheStockShell() throws Exception {
        List<String> command =
                new ArrayList<>(List.of("bash", "src/test/resources/stock-hadoop.sh", stockHadoopJars(), "hadoop"));
        command.addAll(List.of("fs", "-fs", fs.getUri().toString(), "-ls", "-d", "/upload"));
        Ended listing = end(start(stockHadoop(local), command));
        assertThat(listing.err()).contains("no inc-hdfs jar in " + local);
        assertThat(listing.exitCode()).isZero();
        assertThat(listing.out()).contains("/upload");
    }

    private static Map<String, String> stockHadoop(Path jars) {
        return Map.of(
                "SHREDDER_JARS",
                jars.toString(),
                "SHELL_PROFILE",
                "src/main/shellprofile.d/inc-hdfs.sh",
                "HADOOP_OPTS",
                "-Dlog4j.configuration=file:src/test/resources/log4j.properties");
    }

    /** A configuration folder and the launcher's class path without this project's part: what a stock Hadoop has. */
    private String stockHadoopJars() throws IOException {
        String[] jars = Files.readString(Path.of("target/classpath.txt")).trim().split(":");
        List<String> stock = new ArrayList<>(List.of(configurationFolder().toString()));
        for (String jar : jars) {
            if (!jar.contains("shredder") && !jar.contains("chunk-core") && !jar.contains("jcuda")) {
                stock.add(jar);
            }
        }
        return String.join(":", stock);
    }

    private List<String> dfs(String... args) {
        List<String> command = new ArrayList<>(
                List.of(LAUNCHER.toString(), "dfs", "-fs", fs.getUri().toString()));
        command.addAll(List.of(args));
        return command;
    }

    private Process start(Map<String, String> environment, List<String> command) throws IOException {
        return builder(environment, command).start();
    }

    private ProcessBuilder builder(Map<String, String> environment, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(local.resolve("out").toFile())
                .redirectError(local.resolve("err").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HADOOP_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        return builder;
    }

    private Ended end(Process process) throws Exception {
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("still running after " + TIMEOUT_SECONDS + " s");
        }
        return new Ended(
                process.exitValue(),
                Files.readString(local.resolve("out"), StandardCharsets.UTF_8),
                Files.readString(local.resolve("err"), StandardCharsets.UTF_8));
    }
}
