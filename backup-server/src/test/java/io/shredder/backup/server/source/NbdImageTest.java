// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** QEMU's NBD server over TCP: needs {@code qemu-utils}. */
class NbdImageTest extends ImageSourceContract {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int FLIPS = Integer.getInteger("shredder.nbd.flips", 40);
    /** The two numbers that a server's greeting begins with. */
    private static final int MAGIC_BYTES = 16;
    /** The negotiation, an account of zeros, and the head of a reply. */
    private static final int FLIPPED_BYTES = 400;

    private Process server;
    private int port;

    @Override
    protected ImageSource open(Path raw) throws IOException {
        try (ServerSocket free = new ServerSocket()) {
            free.bind(new InetSocketAddress("127.0.0.1", 0));
            port = free.getLocalPort();
        }
        server = new ProcessBuilder(List.of(
                        "qemu-nbd",
                        "--read-only",
                        "--persistent",
                        "--shared=4",
                        "--format=raw",
                        "--bind=127.0.0.1",
                        "--port=" + port,
                        "--export-name=disk one",
                        raw.toString()))
                .inheritIO()
                .start();
        return openOnceItListens(server, NbdUri.parse("nbd://127.0.0.1:" + port + "/disk%20one"));
    }

    private static NbdImage openOnceItListens(Process server, NbdUri uri) throws IOException {
        long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            try {
                return NbdImage.open(uri, TIMEOUT);
            } catch (IOException e) {
                if (System.nanoTime() > deadlineNs || !server.isAlive()) {
                    throw e;
                }
            }
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.destroy();
        assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    protected long mostDataBytes() {
        return (4 << 20) + 200_000;
    }

    @Test
    void anExportThatIsNotThereIsNamedWithTheServersWords() {
        NbdUri uri = NbdUri.parse("nbd://127.0.0.1:" + port + "/other");
        assertThatThrownBy(() -> NbdImage.open(uri, TIMEOUT))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("NBD server " + uri + " refuses export 'other': ");
    }

    @Test
    void aServerThatSaysNothingIsAnErrorNotAHang() throws IOException {
        try (ServerSocket silent = new ServerSocket()) {
            silent.bind(new InetSocketAddress("127.0.0.1", 0));
            NbdUri uri = NbdUri.parse("nbd://127.0.0.1:" + silent.getLocalPort());
            assertThatThrownBy(() -> NbdImage.open(uri, Duration.ofSeconds(1)))
                    .hasMessage("NBD server " + uri + " has been silent for 1 s");
        }
    }

    @Test
    void aServerThatResetsTheConnectionIsNamed() throws Exception {
        try (ServerSocket other = new ServerSocket()) {
            other.bind(new InetSocketAddress("127.0.0.1", 0));
            Thread resetter = new Thread(() -> {
                try (var connection = other.accept()) {
                    connection.setSoLinger(true, 0);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            resetter.start();
            NbdUri uri = NbdUri.parse("nbd://127.0.0.1:" + other.getLocalPort());
            assertThatThrownBy(() -> NbdImage.open(uri, TIMEOUT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("NBD server " + uri);
            resetter.join();
        }
    }

    @Test
    void whatIsNoNbdServerIsNamed() throws Exception {
        try (ServerSocket other = new ServerSocket()) {
            other.bind(new InetSocketAddress("127.0.0.1", 0));
            Thread greeter = new Thread(() -> {
                try (var connection = other.accept()) {
                    connection.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            greeter.start();
            NbdUri uri = NbdUri.parse("nbd://127.0.0.1:" + other.getLocalPort());
            assertThatThrownBy(() -> NbdImage.open(uri, TIMEOUT)).hasMessageContaining("doesn't speak NBD");
            greeter.join();
        }
    }

    @Test
    void aFlippedBitOfTheGreetingsMagicsIsRefused() throws IOException {
        for (int at = 0; at < MAGIC_BYTES; at++) {
            int bit = at % 8;
            try (FlippingProxy proxy = new FlippingProxy(port, at, bit)) {
                assertThatThrownBy(() -> openThrough(proxy, TIMEOUT))
                        .as("byte %d, bit %d", at, bit)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("doesn't speak NBD");
            }
        }
    }

    @Test
    void aFlippedBitOfTheServersIsRefusedOrIsDataAndNeverAnotherErrorOrAHang() throws IOException {
        long seed = Long.getLong("shredder.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < FLIPS; i++) {
            int at = random.nextInt(FLIPPED_BYTES);
            try (FlippingProxy proxy = new FlippingProxy(port, at, random.nextInt(8));
                    ImageSource source = openThrough(proxy, Duration.ofMillis(200))) {
                for (Optional<Extent> next = source.nextData(0);
                        next.isPresent();
                        next = source.nextData(next.get().end())) {
                    assertThat(next.get().end())
                            .as("seed %d, byte %d", seed, at)
                            .isPositive();
                }
                source.read(ByteBuffer.allocateDirect(1 << 16), 0);
            } catch (IOException refused) {
                assertThat(refused).as("seed %d, byte %d", seed, at).hasMessageContaining("127.0.0.1:");
            } catch (RuntimeException e) {
                throw new AssertionError("-Dshredder.seed=" + seed + ", byte " + at, e);
            }
        }
    }

    private static ImageSource openThrough(FlippingProxy proxy, Duration timeout) throws IOException {
        return NbdImage.open(NbdUri.parse("nbd://127.0.0.1:" + proxy.port() + "/disk%20one"), timeout);
    }

    /** QEMU's blkdebug fails every read of one sector. */
    @Test
    void aSectorThatTheServerCannotReadIsSkippedAndTheConnectionGoesOn() throws Exception {
        Path raw = folder.resolve("bad");
        byte[] content = new byte[4 << 20];
        new Random(3).nextBytes(content);
        Files.write(raw, content);
        Path socket = folder.resolve("bad.socket");
        Process bad = new ProcessBuilder(
                        "qemu-nbd",
                        "--read-only",
                        "--socket=" + socket,
                        "--image-opts",
                        "driver=raw,file.driver=blkdebug,file.image.driver=file,file.image.filename=" + raw
                                + ",file.inject-error.0.event=none,file.inject-error.0.iotype=read"
                                + ",file.inject-error.0.errno=5,file.inject-error.0.sector=2057")
                .inheritIO()
                .start();
        try {
            try (CheckedImage image = new CheckedImage(
                    openOnceItListens(bad, NbdUri.parse("nbd+unix:///?socket=" + socket)),
                    "bad",
                    OnReadError.SKIP,
                    128)) {
                ByteBuffer into = ByteBuffer.allocateDirect(content.length);
                image.read(into, 0);
                byte[] read = new byte[content.length];
                into.get(0, read);
                int block = 2057 * 512 / 4096 * 4096;
                Arrays.fill(content, block, block + 4096, (byte) 0);
                assertThat(image.skipped()).containsExactly(new Extent(block, 4096));
                assertThat(Arrays.mismatch(read, content)).isNegative();
            }
        } finally {
            bad.destroy();
            assertThat(bad.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aServerThatGoesAwayIsNamed() throws Exception {
        try (ImageSource source = NbdImage.open(NbdUri.parse("nbd://127.0.0.1:" + port + "/disk%20one"), TIMEOUT)) {
            server.destroyForcibly().waitFor();
            assertThatThrownBy(() -> source.read(ByteBuffer.allocateDirect(1 << 20), 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("NBD server nbd://127.0.0.1:" + port);
        }
    }
}
