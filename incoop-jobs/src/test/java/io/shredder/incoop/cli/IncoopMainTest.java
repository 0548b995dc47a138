// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.MemoWriter;
import io.shredder.incoop.memo.Reuse;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncoopMainTest {

    private static final Fingerprint IDENTITY = Fingerprint.ofData(ByteBuffer.wrap(new byte[] {7}));

    @TempDir
    File folder;

    @Test
    void anUnknownCommandIsWrongUsage() {
        assertThat(IncoopMain.run("statistics")).isEqualTo(2);
        assertThat(IncoopMain.run("stats", "--yaml")).isEqualTo(2);
    }

    @Test
    void theStatsOfAMissingStoreAreEmpty() {
        assertThat(print("stats", "-D", "incoop.memo.dir=file:" + folder + "/none"))
                .isEmpty();
    }

    @Test
    void theStatsNameEachIdentityWithItsFilesAndBytes() throws IOException {
        MemoStore store = new MemoStore(new Configuration(), new Path(folder.toURI()), IDENTITY);
        store.prepare("document\n");
        try (MemoWriter writer = store.writer("a.memo", "attempt", 1)) {
            writer.append(IDENTITY, Reuse.REUSABLE, List.of(new byte[10]), List.of());
            writer.publish();
        }
        long bytes = new File(folder, IDENTITY + "/a.memo").length();

        String dir = "incoop.memo.dir=file:" + folder;
        assertThat(print("stats", "-D", dir)).startsWith(IDENTITY.toString().substring(0, 12) + "  1 files  " + bytes);
        assertThat(print("stats", "--json", "-D", dir)).contains("\"memoFiles\":1,\"bytes\":" + bytes);
    }

    private static String print(String... args) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(IncoopMain.run(args)).isZero();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
