// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.server.live.LiveRestore;
import io.shredder.backup.server.live.LiveState;
import io.shredder.backup.server.nbd.Export;
import io.shredder.backup.server.nbd.SnapshotVolume;
import io.shredder.backup.server.reader.ReaderOptions;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A writable export's side of the protocol, byte by byte; an agent is behind it. */
class LiveProtocolIT {

    private static final long SEED = new Random().nextInt(1_000_000);
    private static final int WRITE = 1;
    private static final int FLUSH = 3;
    private static final int TRIM = 4;
    private static final int ZEROES = 6;
    private static final int FUA = 1;
    private static final int NO_HOLE = 2;
    private static final int EINVAL = 22;
    private static final int ENOSPC = 28;

    @TempDir
    private Path folder;

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private Sites sites;
    private OpenedImage opened;
    private LiveRestore restore;
    private Export export;
    private byte[] model;

    @BeforeEach
    void serve() throws IOException {
        System.out.println("seed " + SEED);
        sites = new Sites(folder);
        sites.startAgent();
        Path image = OpenedImage.write(folder.resolve("image"), new Random(SEED));
        Sites.Result result = sites.here("backup", image.toString(), "--name", "vm");
        assertThat(result.exitCode()).as(result.err()).isZero();
        opened = new OpenedImage(sites, "vm", image, ReaderOptions.LEAST_CACHE_BYTES);
        model = opened.image().clone();
        restore = LiveRestore.open(
                folder.resolve("target"),
                new SnapshotVolume(opened.reader()),
                opened.reader().snapshot(),
                new LiveRestore.Fill(1 << 20, lines::add));
        export = Export.open(restore.volume(), folder.resolve("nbd"));
    }

    @AfterEach
    void stop() throws IOException {
        export.close();
        restore.close();
        opened.close();
        sites.close();
    }

    private NbdTester connect() throws IOException {
        return new NbdTester(folder.resolve("nbd"));
    }

    private int ask(NbdTester client, int flags, int type, long offset, int length) throws IOException {
        client.request(flags, type, 77, offset, length);
        if (type == WRITE) {
            client.send(ByteBuffer.allocate(length));
        }
        return client.simple(77);
    }

    private void write(NbdTester client, int flags, int offset, int length, Random random) throws IOException {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        client.request(flags, WRITE, offset, offset, length);
        client.send(ByteBuffer.wrap(bytes));
        assertThat(client.simple(offset)).isZero();
        System.arraycopy(bytes, 0, model, offset, length);
    }

    private void checkRead(NbdTester client, int offset, int length) throws IOException {
        client.request(4, 0, 3, offset, length);
        NbdTester.Part part = client.part();
        assertThat(part.type()).isEqualTo(1);
        assertThat(Arrays.copyOfRange(part.data(), 8, part.data().length))
                .isEqualTo(Arrays.copyOfRange(model, offset, offset + length));
    }

    @Test
    void whatIsWrittenIsReadByAnyConnectionAndTheTargetBecomesWhole() throws Exception {
        Random random = new Random(SEED);
        try (NbdTester client = connect().go();
                NbdTester other = connect().go()) {
            write(client, 0, 0, 1, random);
            write(client, 0, 4095, 2, random);
            write(client, FUA, 100_000, 30_001, random);
            write(client, 0, 300_000, 2_000_000, random);
            write(client, FUA, model.length - 77, 77, random);
            assertThat(ask(client, 0, ZEROES, 290_000, 20_000)).isZero();
            Arrays.fill(model, 290_000, 310_000, (byte) 0);
            assertThat(ask(client, NO_HOLE | FUA, ZEROES, 10, 20)).isZero();
            Arrays.fill(model, 10, 30, (byte) 0);
            assertThat(ask(other, 0, FLUSH, 0, 0)).isZero();
            checkRead(other, 0, 1 << 20);
            checkRead(other, model.length - 1000, 1000);
            assertThat(ask(client, FUA, TRIM, 8192, 4096)).isZero();
            Arrays.fill(model, 8192, 12_288, (byte) 0);
            client.request(0, 7, 9, 8192, 4096);
            assertThat(client.part().view().getInt(8)).as("a hole of zeros").isEqualTo(3);
        }
        assertThat(restore.awaitFilled()).isEqualTo(LiveState.WHOLE);
        assertThat(Arrays.mismatch(Files.readAllBytes(folder.resolve("target")), model))
                .isNegative();
        try (NbdTester client = connect().go()) {
            write(client, FUA, 12_345, 100, random);
            checkRead(client, 12_000, 1000);
        }
        assertThat(Arrays.mismatch(Files.readAllBytes(folder.resolve("target")), model))
                .isNegative();
        assertThat(lines).isEmpty();
    }

    @Test
    void theClientIsToldWhatItMayDo() throws Exception {
        try (NbdTester client = connect().greet(3)) {
            client.option(7, NbdTester.named(""));
            NbdTester.Reply sizes = client.reply();
            assertThat(ByteBuffer.wrap(sizes.data()).getShort()).isEqualTo((short) 3);
            short flags = ByteBuffer.wrap(client.reply().data()).getShort(10);
            assertThat(flags & 0x16F)
                    .as("flush, FUA, trim, zeroes, multi-conn; not read-only")
                    .isEqualTo(0x16D);
        }
    }

    @Test
    void whatCannotBeDoneIsRefusedAndChangesNothing() throws Exception {
        int size = model.length;
        try (NbdTester client = connect().go()) {
            assertThat(ask(client, 0, WRITE, size - 10, 11)).isEqualTo(ENOSPC);
            assertThat(ask(client, 0, WRITE, size, 1 << 20)).isEqualTo(ENOSPC);
            assertThat(ask(client, 0, WRITE, -1, 10)).isEqualTo(ENOSPC);
            assertThat(ask(client, NO_HOLE, WRITE, 0, 10)).isEqualTo(EINVAL);
            assertThat(ask(client, 1 << 4, ZEROES, 0, 10)).as("FAST_ZERO").isEqualTo(EINVAL);
            assertThat(ask(client, NO_HOLE, TRIM, 0, 10)).isEqualTo(EINVAL);
            assertThat(ask(client, 0, TRIM, 10, size)).isEqualTo(ENOSPC);
            assertThat(ask(client, 0, ZEROES, 10, -1)).isEqualTo(ENOSPC);
            assertThat(ask(client, 0, FLUSH, 10, 0)).isEqualTo(EINVAL);
            assertThat(ask(client, FUA, FLUSH, 0, 0)).isEqualTo(EINVAL);
            assertThat(ask(client, 0, WRITE, size, 0)).as("nothing").isZero();
            checkRead(client, 0, 1 << 20);
            client.request(0, WRITE, 1, 0, (32 << 20) + 1);
            assertThat(client.isClosed()).isTrue();
        }
    }

    /** Requests of any kind, cut off anywhere: others are served on, and bytes that nobody named stay. */
    @Test
    void noBytesOfAClientHarmOthers() throws Exception {
        Random random = new Random(SEED);
        int half = model.length / 2;
        int connections = LongTests.count("nbd.fuzz", 100, 2_000);
        for (int i = 0; i < connections; i++) {
            try (NbdTester client = connect().go()) {
                for (int j = random.nextInt(60); j >= 0; j--) {
                    int type = random.nextInt(9);
                    int flags = random.nextInt(4) == 0 ? random.nextInt(1 << 16) : 0;
                    int length = random.nextInt(9_000);
                    client.request(flags, type == 2 ? 0 : type, j, half + random.nextInt(half), length);
                    if (type == WRITE) {
                        client.send(ByteBuffer.allocate(random.nextInt(30) == 0 ? length / 2 : length));
                    }
                }
                client.endOutput();
            } catch (IOException e) {
                // The server may close it at any time.
            }
        }
        export.awaitEnd(true, Optional.of(Duration.ofSeconds(30)));
        try (NbdTester client = connect().go()) {
            checkRead(client, 0, half);
        }
    }
}
