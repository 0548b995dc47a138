// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.server.nbd.Export;
import io.shredder.backup.server.nbd.NbdServer;
import io.shredder.backup.server.reader.ReaderOptions;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An export's side of the protocol, byte by byte; an agent is behind it. */
class NbdProtocolIT {

    private static final long SEED = new Random().nextInt(1_000_000);
    private static final int EINVAL = 22;
    private static final int EPERM = 1;

    @TempDir
    private static Path folder;

    private static Sites sites;
    private static OpenedImage opened;
    private static Export export;
    private static Path socket;

    @BeforeAll
    static void serve() throws IOException {
        System.out.println("seed " + SEED);
        sites = new Sites(folder);
        sites.startAgent();
        Path image = OpenedImage.write(folder.resolve("image"), new Random(SEED));
        Sites.Result result = sites.here("backup", image.toString(), "--name", "vm");
        assertThat(result.exitCode()).as(result.err()).isZero();
        opened = new OpenedImage(sites, "vm", image, ReaderOptions.LEAST_CACHE_BYTES);
        socket = folder.resolve("nbd");
        export = Export.open(opened.reader(), socket);
    }

    @AfterAll
    static void stop() throws IOException {
        export.close();
        assertThat(socket).doesNotExist();
        opened.close();
        sites.close();
    }

    private static NbdTester connect() throws IOException {
        return new NbdTester(socket);
    }

    private static int size() {
        return opened.image().length;
    }

    @Test
    void theSocketIsItsOwnersAloneAndNotTakenAgain() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-------");
        assertThat(export.uri()).isEqualTo("nbd+unix:///vm@1?socket=" + socket);
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> Export.open(opened.reader(), socket))
                .hasMessageContaining("somebody listens at socket");
    }

    @Test
    void eachOptionIsAnsweredAsTheDocumentSays() throws IOException {
        try (NbdTester client = connect().greet(3)) {
            client.option(3);
            NbdTester.Reply listed = client.reply();
            assertThat(listed.type()).isEqualTo(2);
            assertThat(new String(listed.data(), 4, listed.data().length - 4)).isEqualTo("vm@1");
            assertThat(client.reply().type()).isEqualTo(1);
            assertThat(client.ask(3, (byte) 1).type()).as("LIST has no data").isEqualTo(0x80000003);
            assertThat(client.ask(5).type()).as("no TLS here").isEqualTo(0x80000002);
            assertThat(client.ask(11).type()).as("extended headers").isEqualTo(0x80000001);
            assertThat(client.ask(99, new byte[100]).type()).isEqualTo(0x80000001);
            assertThat(client.ask(6, NbdTester.named("other")).type()).isEqualTo(0x80000006);
            assertThat(client.ask(6, new byte[3]).type()).as("ends early").isEqualTo(0x80000003);
            assertThat(client.ask(6, NbdTester.named("vm@1", 0, 1, 2, 3, 77)).type())
                    .isEqualTo(1);
            assertThat(client.ask(10, NbdTester.context("", "base:allocation")).type())
                    .as("only with structured replies")
                    .isEqualTo(0x80000003);
            assertThat(client.ask(8, (byte) 0).type()).isEqualTo(0x80000003);
            assertThat(client.ask(8).type()).isEqualTo(1);
            client.option(9, NbdTester.context("", "base:"));
            assertThat(client.reply().type()).isEqualTo(4);
            assertThat(client.reply().type()).isEqualTo(1);
            client.option(10, NbdTester.context("", "qemu:dirty-bitmap:x"));
            assertThat(client.reply().type()).as("none of it is here").isEqualTo(1);
            assertThat(client.ask(6, new byte[100_000]).type()).isEqualTo(0x80000009);
            client.option(7, NbdTester.named(""));
            NbdTester.Reply sizes = client.reply();
            assertThat(ByteBuffer.wrap(sizes.data()).getShort()).isEqualTo((short) 3);
            ByteBuffer about = ByteBuffer.wrap(client.reply().data());
            assertThat(about.getShort()).isZero();
            assertThat(about.getLong()).isEqualTo(size());
            assertThat(about.getShort() & 0b111).as("read-only").isEqualTo(3);
            assertThat(client.reply().type()).isEqualTo(1);
            client.request(0, 7, 5, 0, 4096);
            assertThat(client.part().type())
                    .as("base:allocation was not agreed on")
                    .isEqualTo(0x8001);
        }
        try (NbdTester client = connect().greet(3)) {
            assertThat(client.ask(2).type()).isEqualTo(1);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void anOldClientGetsTheDefaultExportBySimpleReplies() throws IOException {
        for (int flags : new int[] {0, 1, 3}) {
            try (NbdTester client = connect().greet(flags)) {
                client.option(1);
                assertThat(client.take(8).getLong()).isEqualTo(size());
                client.take(flags == 3 ? 2 : 126);
                client.request(0, 0, 9, 100, 300_000);
                assertThat(client.simple(9)).isZero();
                assertThat(client.take(300_000).array()).isEqualTo(Arrays.copyOfRange(opened.image(), 100, 300_100));
                client.request(0, 0, 10, size() - 10, 11);
                assertThat(client.simple(10)).isEqualTo(EINVAL);
                client.request(4, 0, 11, 0, 10);
                assertThat(client.simple(11))
                        .as("DF without structured replies")
                        .isEqualTo(EINVAL);
            }
        }
    }

    @Test
    void readsAreHolesAndBytesAndAnswersToOthersComeBetween() throws IOException {
        try (NbdTester client = connect().go()) {
            byte[] read = new byte[size()];
            Arrays.fill(read, (byte) 1);
            client.request(0, 0, 1, 0, size());
            int holes = 0;
            for (boolean done = false; !done; ) {
                NbdTester.Part part = client.part();
                ByteBuffer data = part.view();
                int at = (int) data.getLong();
                if (part.type() == 2) {
                    holes++;
                    Arrays.fill(read, at, at + data.getInt(), (byte) 0);
                } else {
                    assertThat(part.type()).isEqualTo(1);
                    data.get(read, at, data.remaining());
                }
                done = part.done();
            }
            assertThat(holes).isGreaterThan(1);
            assertThat(Arrays.mismatch(read, opened.image())).isNegative();
            client.request(4, 0, 2, 5, 1 << 20);
            NbdTester.Part whole = client.part();
            assertThat(whole.done()).as("DF").isTrue();
            assertThat(Arrays.copyOfRange(whole.data(), 8, whole.data().length))
                    .isEqualTo(Arrays.copyOfRange(opened.image(), 5, 5 + (1 << 20)));
        }
    }

    @Test
    void whatCannotBeDoneIsRefusedAndTheConnectionGoesOn() throws IOException {
        try (NbdTester client = connect().go()) {
            client.request(0, 1, 1, 0, 1000);
            client.send(ByteBuffer.allocate(1000));
            assertThat(client.simple(1)).as("write").isEqualTo(EPERM);
            client.request(0, 4, 2, 0, 1000);
            assertThat(client.simple(2)).as("trim").isEqualTo(EPERM);
            client.request(0, 6, 3, 0, 1000);
            assertThat(client.simple(3)).as("zeroes").isEqualTo(EPERM);
            client.request(0, 3, 4, 0, 0);
            assertThat(client.simple(4)).as("flush").isZero();
            client.request(0, 5, 5, 0, 1 << 20);
            assertThat(client.simple(5)).as("cache").isZero();
            client.request(0, 42, 6, 0, 0);
            assertThat(client.simple(6)).isEqualTo(EINVAL);
            long[][] reads = {{0, size() + 1}, {-1, 10}, {Long.MAX_VALUE, 10}, {0, 0xFFFFFFFFL}, {0, (32 << 20) + 1}};
            for (long[] range : reads) {
                client.request(0, 0, 7, range[0], (int) range[1]);
                NbdTester.Part part = client.part();
                assertThat(part.type()).isEqualTo(0x8001);
                assertThat(part.view().getInt()).isEqualTo(EINVAL);
            }
            client.request(0, 7, 8, 0, 0);
            assertThat(client.part().view().getInt())
                    .as("the status of nothing")
                    .isEqualTo(EINVAL);
            client.request(8, 7, 9, 0, size());
            assertThat(client.part().data()).as("one extent").hasSize(12);
            client.request(0, 0, 10, 0, 0);
            assertThat(client.part().type()).as("a read of nothing").isZero();
            client.request(0, 2, 11, 0, 0);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 5_000})
    void manyRequestsAtOnceAreAllAnswered(int count) throws Exception {
        try (NbdTester client = connect().go()) {
            Thread asking = new Thread(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        client.request(4, 0, i, (i * 4099L) % (size() - 512), 512);
                    }
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            asking.start();
            Set<Long> answered = new HashSet<>();
            for (int i = 0; i < count; i++) {
                NbdTester.Part part = client.part();
                int at = (int) ((part.cookie() * 4099L) % (size() - 512));
                assertThat(answered.add(part.cookie())).isTrue();
                assertThat(Arrays.copyOfRange(part.data(), 8, part.data().length))
                        .isEqualTo(Arrays.copyOfRange(opened.image(), at, at + 512));
            }
            asking.join();
        }
    }

    @Test
    void clientsThatAreTooManyAreRefusedAndThoseWhoLeaveMakeRoom() throws Exception {
        List<NbdTester> clients = new ArrayList<>();
        try {
            for (int i = 0; i < NbdServer.MOST_CONNECTIONS; i++) {
                clients.add(connect().greet(3));
            }
            try (NbdTester more = connect()) {
                assertThat(more.isClosed()).isTrue();
            }
        } finally {
            for (NbdTester client : clients) {
                client.close();
            }
        }
        export.awaitEnd(true, Optional.of(Duration.ofSeconds(30)));
        try (NbdTester client = connect().go()) {
            client.request(0, 3, 1, 0, 0);
            assertThat(client.simple(1)).isZero();
        }
    }

    /** Valid beginnings with bytes changed, cut off or put in: the server goes on for others, and keeps nothing. */
    @Test
    void noBytesOfAClientEndTheServer() throws Exception {
        Random random = new Random(SEED);
        int connections = LongTests.count("nbd.fuzz", 200, 4_000);
        for (int i = 0; i < connections; i++) {
            NbdFuzz.connection(connect(), random, size());
        }
        export.awaitEnd(true, Optional.of(Duration.ofSeconds(30)));
        try (NbdTester client = connect().go()) {
            client.request(4, 0, 1, 0, 4096);
            assertThat(client.part().data()).hasSize(4104);
        }
    }
}
