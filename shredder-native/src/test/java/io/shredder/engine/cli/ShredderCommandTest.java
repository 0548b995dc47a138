// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.ReferenceChunker;
import io.shredder.engine.cli.ShredderProcess.Result;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.TypeConversionException;

/** The command as a process of its own, as users meet it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShredderCommandTest {

    @TempDir
    Path folder;

    @Test
    void chunkPrintsOffsetLengthAndDigestOfEachChunk() throws Exception {
        byte[] data = new byte[300_000];
        new Random(3).nextBytes(data);
        Path file = Files.write(folder.resolve("data"), data);
        ChunkingParams params = ChunkingParams.builder()
                .averageBytes(4096)
                .minBytes(2048)
                .maxBytes(8192)
                .build();

        Result result = run("chunk", file.toString(), "-avg", "4k", "-min", "2k", "-max", "8k", "--backend", "scalar");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).isEqualTo(lines(ReferenceChunker.chunk(params, data)));
        assertThat(result.err()).contains("293.0 KiB", "on scalar").hasLineCount(1);
    }

    @Test
    void readerOptionsChangeNothingButTheWayToRead() throws Exception {
        byte[] data = new byte[3_000_000];
        new Random(4).nextBytes(data);
        Path file = Files.write(folder.resolve("data"), data);
        String expected = lines(ReferenceChunker.chunk(ChunkingParams.ofAverage(64 << 10), data));

        assertThat(run("chunk", file.toString(), "--reader-threads", "3").out()).isEqualTo(expected);
        assertThat(run("chunk", file.toString(), "--direct").out()).isEqualTo(expected);
        assertFails(2, "readerThreads 1000 is not in 1..256", "chunk", "x", "--reader-threads", "1000");
        assertFails(2, "unknown digest 'md5': use one of sha256, blake3", "chunk", "x", "--digest", "md5");
    }

    @Test
    void aPoolOfDevicesGivesTheSameChunks() throws Exception {
        byte[] data = new byte[3_000_000];
        new Random(6).nextBytes(data);
        Path file = Files.write(folder.resolve("data"), data);
        String expected = lines(ReferenceChunker.chunk(ChunkingParams.ofAverage(64 << 10), data));

        Result result = run("chunk", file.toString(), "--backend", "scalar*1,cpu", "--scheduling", "two-choices");

        assertThat(result.out()).as(result.err()).isEqualTo(expected);
        assertThat(result.err()).contains("on scalar+");
        assertFails(2, "unknown backend 'cuda*3': use one of", "chunk", "x", "--backend", "cuda*3");
        assertFails(2, "unknown scheduling 'best'", "chunk", "x", "--scheduling", "best");
    }

    @Test
    void aDashIsStandardInputBeItAPipeOrAFileThatIsReadFromWhereItStands() throws Exception {
        byte[] data = new byte[300_000];
        new Random(9).nextBytes(data);
        Path file = Files.write(folder.resolve("data"), data);
        String expected = lines(ReferenceChunker.chunk(ChunkingParams.ofAverage(64 << 10), data));
        String rest = lines(ReferenceChunker.chunk(
                ChunkingParams.ofAverage(64 << 10), Arrays.copyOfRange(data, 100_000, data.length)));

        assertThat(runInShell("cat data | \"$@\" chunk -")).isEqualTo(expected);
        assertThat(runInShell("\"$@\" chunk - < data")).isEqualTo(expected);
        assertThat(runInShell("{ head -c 100000 > head; \"$@\" chunk -; } < data"))
                .isEqualTo(rest);
        assertThat(runInShell("exec 9< <(cat data); \"$@\" chunk /dev/fd/9")).isEqualTo(expected);
        assertThat(file).exists();
        assertFails(2, "standard input can't be read directly", "chunk", "-", "--direct");
    }

    @Test
    void blake3DigestsArePrintedWhereTheyAreAskedFor() throws Exception {
        byte[] data = new byte[300_000];
        new Random(5).nextBytes(data);
        Path file = Files.write(folder.resolve("data"), data);
        ChunkingParams params =
                ChunkingParams.builder().digest(DigestAlgorithm.BLAKE3).build();

        assertThat(run("chunk", file.toString(), "--digest", "blake3").out())
                .isEqualTo(lines(ReferenceChunker.chunk(params, data)));
        assertThat(run("chunk", file.toString(), "--digest", "blake3", "--json").out())
                .contains(",\"blake3\":\"");
    }

    @Test
    void aDeviceThatFailsIsNamedOnceAndItsBuffersRunElsewhere() throws Exception {
        byte[] data = new byte[40_000_000];
        new Random(6).nextBytes(data);
        Path file = Files.write(folder.resolve("data"), data);

        Result result = new ShredderProcess(folder)
                .run(
                        List.of("chunk", file.toString(), "--backend", "cpu"),
                        Map.of("SHREDDER_INJECT_FAULT", "0:digest:2"));

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).isEqualTo(lines(ReferenceChunker.chunk(ChunkingParams.ofAverage(64 << 10), data)));
        assertThat(result.err()).hasLineCount(2);
        assertThat(result.err().lines().findFirst().orElseThrow()).contains("SHREDDER_INJECT_FAULT");
    }

    @Test
    void jsonPrintsAnObjectALine() throws Exception {
        Path file = Files.write(folder.resolve("a \"b\""), new byte[1]);
        Result result = run("chunk", "--json", file.toString());
        assertThat(result.out())
                .matches("\\{\"file\":\".*a \\\\\"b\\\\\"\",\"offset\":0,\"length\":1,\"sha256\":\"[0-9a-f]{64}\"}\n");
    }

    @Test
    void badInputIsOneClearLineAndNotZero() throws Exception {
        Path file = Files.write(folder.resolve("f"), new byte[1]);
        assertFails(1, "does not exist", "chunk", folder.resolve("none").toString());
        assertFails(1, "is a directory", "chunk", folder.toString());
        assertFails(2, "unknown backend 'gpu'", "chunk", "--backend", "gpu", file.toString());
        assertFails(2, "not a power of two", "chunk", "-avg", "5000", file.toString());
        assertFails(2, "min", "chunk", "-avg", "4k", "-min", "8k", file.toString());
        assertFails(2, "'8q' is not a size", "chunk", "-avg", "8q", file.toString());
        assertFails(2, "FILE", "chunk");
    }

    @Test
    void anUnknownBackendInTheEnvironmentIsRefusedByName() throws Exception {
        Path file = Files.write(folder.resolve("f"), new byte[1]);
        Result result =
                new ShredderProcess(folder).run(List.of("chunk", file.toString()), Map.of("SHREDDER_BACKEND", "avx9"));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("SHREDDER_BACKEND=avx9").hasLineCount(1);
    }

    @Test
    void devicesListsEveryBackendAndTheChoice() throws Exception {
        Result result = run("devices");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("CUDA devices:", "scalar", "avx2", "cuda", "Chosen: ");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void aReaderThatGoesAwayEndsTheCommandQuietly() throws Exception {
        Path file = folder.resolve("large");
        Files.write(file, new byte[50_000_000]);
        Process process = ShredderProcess.command(List.of("chunk", "-avg", "512", file.toString()))
                .redirectError(folder.resolve("err").toFile())
                .start();
        process.getInputStream().close();
        assertThat(process.waitFor()).isEqualTo(ShredderCommand.OUTPUT_CLOSED);
        assertThat(Files.readString(folder.resolve("err"))).isEmpty();
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() throws Exception {
        Path file = Files.write(folder.resolve("f"), new byte[1]);
        for (List<String> arguments : List.of(List.of("chunk", file.toString()), List.of("devices"))) {
            Path err = folder.resolve("err");
            int exitCode = ShredderProcess.command(arguments)
                    .redirectOutput(new File("/dev/full"))
                    .redirectError(err.toFile())
                    .start()
                    .waitFor();
            assertThat(exitCode).isEqualTo(ShredderCommand.FAILED);
            assertThat(Files.readString(err))
                    .contains("can't write to standard output")
                    .hasLineCount(1);
        }
    }

    @Test
    void everySubcommandKnowsTheVersion() throws Exception {
        assertThat(run("chunk", "--version").out())
                .isEqualTo(run("--version").out())
                .startsWith("shredder ");
    }

    @Test
    void sizesHaveUnits() {
        assertThat(SizeOption.parse("4096").bytes()).isEqualTo(4096);
        assertThat(SizeOption.parse("64k").bytes()).isEqualTo(65536);
        assertThat(SizeOption.parse("8MiB").bytes()).isEqualTo(8 << 20);
        assertThat(SizeOption.parse("1G").bytes()).isEqualTo(1 << 30);
        for (String bad : new String[] {"", "k", "-1", "1.5k", "9999999999999", "1t"}) {
            assertThatThrownBy(() -> SizeOption.parse(bad)).as(bad).isInstanceOf(TypeConversionException.class);
        }
    }

    private void assertFails(int exitCode, String text, String... arguments) throws Exception {
        Result result = run(arguments);
        assertThat(result.exitCode()).as(result.err()).isEqualTo(exitCode);
        assertThat(result.err()).contains(text).startsWith("shredder: ").hasLineCount(1);
        assertThat(result.out()).isEmpty();
    }

    /** What a script prints that gets the command's words as its own. */
    private String runInShell(String script) throws Exception {
        File out = folder.resolve("out").toFile();
        List<String> words = new ArrayList<>(List.of("bash", "-c", script, "bash"));
        words.addAll(ShredderProcess.command(List.of()).command());
        Process shell = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectOutput(out)
                .redirectError(folder.resolve("err").toFile())
                .start();
        assertThat(shell.waitFor())
                .as(ShredderProcess.read(folder.resolve("err").toFile()))
                .isZero();
        return ShredderProcess.read(out);
    }

    private Result run(String... arguments) throws Exception {
        return new ShredderProcess(folder).run(arguments);
    }

    private static String lines(List<Chunk> chunks) {
        return chunks.stream()
                .map(chunk -> chunk.offset() + "\t" + chunk.length() + "\t" + chunk.fingerprint() + "\n")
                .collect(Collectors.joining());
    }
}
