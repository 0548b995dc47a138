// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Chunk;
import io.shredder.hdfs.scan.ScanTool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;

/** What tests of {@code hadoop shredder scan} share: files that others wrote, and the job within this process. */
abstract class ScanCase extends HdfsCase {

    static final int BLOCK = 1 << 20;
    /** Lines about the time that a job takes. */
    private static final String PROGRESS = "(?m)^scanned [0-9]+ (of|MB in) .*\\R";

    static final List<String> SMALL = List.of("-avg", "4k", "-min", "1k", "-max", "16k");

    @AfterEach
    void forgetParts() {
        conf.unset("inc-hdfs.scan.part");
    }

    /** With small chunks. */
    ShellRun scan(String... words) throws Exception {
        return command(Stream.concat(SMALL.stream(), Arrays.stream(words)).toArray(String[]::new));
    }

    /** With any words; without the progress, which depends on how busy the machine is. */
    ShellRun command(String... words) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Configuration own = new Configuration(conf);
        own.set("hadoop.tmp.dir", local.resolve("tmp").toString());
        int exitCode = ToolRunner.run(
                own,
                new ScanTool(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                words);
        String told = err.toString(StandardCharsets.UTF_8).replaceAll(PROGRESS, "");
        return new ShellRun(exitCode, out.toString(StandardCharsets.UTF_8), told);
    }

    /** As any program writes it. */
    void put(byte[] content, String file) throws IOException {
        try (FSDataOutputStream out = fs.create(path(file), true, 4096, (short) 1, BLOCK)) {
            out.write(content);
        }
    }

    List<Chunk> uploaded(byte[] content, String name, String... options) throws Exception {
        Path source = write(name.replace('/', '-'), content);
        List<String> words = new ArrayList<>(List.of("-copyFromLocalGPU"));
        words.addAll(SMALL);
        words.addAll(List.of(options));
        words.addAll(List.of(source.toString(), "/upload/uploaded-" + name));
        ShellRun run = ShellRun.of(conf, words.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
        List<Chunk> chunks = manifest("/upload/uploaded-" + name).chunks();
        fs.delete(path("/upload/uploaded-" + name), false);
        return oneSegment(chunks);
    }

    private static List<Chunk> oneSegment(List<Chunk> chunks) {
        long end = chunks.stream().mapToLong(Chunk::end).max().orElse(0);
        return chunks.stream()
                .map(chunk -> new Chunk(chunk.offset(), chunk.length(), chunk.fingerprint(), chunk.end() == end))
                .toList();
    }
}
