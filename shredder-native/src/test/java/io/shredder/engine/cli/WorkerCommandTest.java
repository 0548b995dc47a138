// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.ReferenceChunker;
import io.shredder.engine.cli.ShredderProcess.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers and their clients as processes, as users meet them. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkerCommandTest {

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    /** Returns once it serves. */
    private Process start(Path socket, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("worker", "--socket", socket.toString(), "--threads", "1"));
        arguments.addAll(List.of(more));
        Process worker = ShredderProcess.command(arguments)
                .redirectError(folder.resolve("worker.err").toFile())
                .start();
        started.add(worker);
        BufferedReader out = worker.inputReader();
        assertThat(out.readLine())
                .as(ShredderProcess.read(folder.resolve("worker.err").toFile()))
                .startsWith("serving ")
                .endsWith(" at " + socket);
        return worker;
    }

    private Result chunk(Path file, String devices) throws Exception {
        return new ShredderProcess(folder).run("chunk", file.toString(), "-avg", "4k", "--backend", devices);
    }

    private static String expected(byte[] data) {
        return ReferenceChunker.chunk(ChunkingParams.ofAverage(4096), data).stream()
                .map(WorkerCommandTest::line)
                .collect(Collectors.joining());
    }

    private static String line(Chunk chunk) {
        return chunk.offset() + "\t" + chunk.length() + "\t" + chunk.fingerprint() + "\n";
    }

    private Path write(byte[] data, int seed) throws IOException {
        new Random(seed).nextBytes(data);
        return Files.write(folder.resolve("data"), data);
    }

    @Test
    void aWorkerCutsForOthersUntilItIsEnded() throws Exception {
        byte[] data = new byte[3_000_000];
        Path file = write(data, 1);
        Path socket = folder.resolve("worker");
        Process worker = start(socket);
        assertThat(Files.getPosixFilePermissions(socket)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        for (String devices : List.of("worker:" + socket, "scalar*1,worker:" + socket + "*5")) {
            Result result = chunk(file, devices);
            assertThat(result.exitCode()).as(result.err()).isZero();
            assertThat(result.out()).isEqualTo(expected(data));
            assertThat(result.err()).contains("worker").hasLineCount(1);
        }
        worker.toHandle().destroy(); // Its output stays open.
        assertThat(worker.inputReader().readLine())
                .startsWith("served 2 clients, ")
                .endsWith("MiB");
        assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(socket).doesNotExist();
        Result gone = chunk(file, "worker:" + socket);
        assertThat(gone.exitCode()).isEqualTo(1);
        assertThat(gone.err()).contains("no worker answers at '" + socket + "'", "shredder worker");
    }

    @Test
    void aWorkerThatIsKilledLosesNothingAndAnotherTakesItsPlace() throws Exception {
        byte[] data = new byte[50_000_000];
        Path file = write(data, 2);
        Path socket = folder.resolve("worker");
        Process worker = start(socket);
        Path out = folder.resolve("chunks");
        Process client = ShredderProcess.command(
                        List.of("chunk", file.toString(), "-avg", "4k", "--backend", "worker:" + socket))
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("client.err").toFile())
                .start();
        started.add(client);
        while (Files.size(out) == 0 && client.isAlive()) {
            Thread.sleep(1);
        }
        worker.destroyForcibly();
        assertThat(client.waitFor()).isZero();
        assertThat(Files.readString(out)).isEqualTo(expected(data));

        start(socket);
        assertThat(chunk(file, "worker:" + socket).exitCode()).isZero();
    }

    @Test
    void wrongUsageIsNamed() throws Exception {
        Path socket = folder.resolve("worker");
        ShredderProcess process = new ShredderProcess(folder);
        assertThat(process.run("worker").err()).contains("--socket");
        Result none = process.run("worker", "--socket", socket.toString(), "--clients", "0");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.err()).contains("--clients 0");
        assertThat(process.run("worker", "--socket", "x".repeat(200)).err()).contains("1 to 107 bytes");
        assertThat(process.run("worker", "--socket", socket.toString(), "--backend", "gpu")
                        .exitCode())
                .isEqualTo(2);
        Files.writeString(socket, "precious");
        Result taken = process.run("worker", "--socket", socket.toString());
        assertThat(taken.exitCode()).isEqualTo(1);
        assertThat(taken.err()).contains("can't listen at '" + socket + "'");
        assertThat(socket).hasContent("precious");
        assertThat(process.run("chunk", "x", "--backend", "cpu,worker:").err()).contains("unknown backend");
    }
}
