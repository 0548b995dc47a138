// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.ReferenceChunker;
import io.shredder.engine.BackendUnavailableException;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import io.shredder.engine.ShredderOptions.Devices;
import io.shredder.engine.worker.Worker;
import io.shredder.engine.worker.WorkerOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real worker, borrowed over TLS by a real engine. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LendIT {

    @TempDir
    private Path folder;

    private final byte[] data = Samples.randomBytes(new Random(Samples.seed()), 3_000_000);
    private TestCertificates certificates;
    private TlsFiles own;
    private Path rights;
    private Path worker;
    private Path borrowed;
    private LendDaemon lends;

    @BeforeEach
    void start() throws IOException {
        certificates = new TestCertificates(folder.resolve("certs"));
        own = certificates.agent("localhost", "127.0.0.1");
        rights = Files.writeString(folder.resolve("rights.yaml"), "clients:\n  engine1:\n    rights: [borrow]\n");
        worker = folder.resolve("worker");
        borrowed = folder.resolve("borrowed");
        lends = lend(RevokedCertificates.none());
    }

    private LendDaemon lend(RevokedCertificates revoked) throws IOException {
        return LendDaemon.start(worker, AccessFile.open(rights), revoked, own, new InetSocketAddress("127.0.0.1", 0));
    }

    @AfterEach
    void stop() {
        lends.close();
    }

    private BorrowDaemon borrow(TlsFiles tls) throws IOException {
        return BorrowDaemon.start(new HostPort("127.0.0.1", lends.address().getPort()), borrowed, tls);
    }

    private Worker work() throws IOException {
        return Worker.open(new WorkerOptions(worker, Devices.parse("cpu*1")));
    }

    private Shredder engine() throws IOException {
        return Shredder.open(ShredderOptions.builder()
                .devices("worker:" + borrowed)
                .bufferBytes(64 << 10)
                .build());
    }

    private void assertCuts(Shredder engine, byte[] bytes) throws IOException {
        ChunkingParams params = ChunkingParams.ofAverage(4096);
        List<Chunk> chunks = new ArrayList<>();
        engine.chunk(Channels.newChannel(new ByteArrayInputStream(bytes)), params, true, batch -> {
            for (int i = 0; i < batch.count(); i++) {
                chunks.add(batch.chunk(i));
            }
        });
        assertThat(chunks).isEqualTo(ReferenceChunker.chunk(params, bytes));
    }

    private void assertRefused(TlsFiles tls, String why) throws IOException {
        try (BorrowDaemon refused = borrow(tls)) {
            assertThat(refused.from().port()).isPositive();
            assertThatThrownBy(this::engine)
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("worker '" + borrowed + "'")
                    .hasMessageContaining(why);
        }
    }

    @Test
    void anEngineUsesAWorkerOverTls() throws IOException {
        try (Worker lent = work();
                BorrowDaemon borrows = borrow(certificates.client("engine1"))) {
            assertThat(Files.getPosixFilePermissions(borrowed)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            for (int i = 0; i < 2; i++) {
                try (Shredder engine = engine()) {
                    assertCuts(engine, data);
                }
            }
            assertThat(lent.figures().bytesScanned()).isEqualTo(2L * data.length);
            assertThat(borrows.from().host()).isEqualTo("127.0.0.1");
        }
        assertThat(borrowed).doesNotExist();
    }

    @Test
    void largeBuffersPassWhileNeitherSideKeepsThem() throws IOException {
        byte[] more = Samples.randomBytes(new Random(5), 40_000_000);
        try (Worker lent = work();
                BorrowDaemon borrows = borrow(certificates.client("engine1"));
                Shredder engine = Shredder.open(ShredderOptions.builder()
                        .devices("worker:" + borrowed)
                        .bufferBytes(16 << 20)
                        .build())) {
            assertCuts(engine, more);
            assertThat(lent.figures().bytesScanned()).isEqualTo(more.length);
            assertThat(borrows.from().port()).isPositive();
        }
    }

    @Test
    void whoeverMayNotIsToldWhy() throws IOException {
        try (Worker lent = work()) {
            assertRefused(certificates.client("engine2"), "client engine2 has no right here: give it 'borrow'");
            assertRefused(new TestCertificates(folder.resolve("others")).client("engine1"), "no worker at 127.0.0.1:");
            TlsFiles stolen = certificates.client("engine1");
            Path list = certificates.revoke(stolen);
            lends.close();
            lends = lend(RevokedCertificates.open(list, stolen.authority()));
            assertRefused(stolen, "the certificate of engine1 is revoked");
            assertThat(lent.figures().clientsServed()).isZero();
        }
    }

    @Test
    void whatIsNotThereIsNamed() throws IOException {
        TlsFiles tls = certificates.client("engine1");
        assertRefused(tls, "the worker at " + worker + " doesn't answer");
        lends.close();
        assertRefused(tls, "no worker at 127.0.0.1:");
        Files.writeString(borrowed, "precious");
        assertThatThrownBy(() -> borrow(tls))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("is no socket");
        assertThat(borrowed).hasContent("precious");
    }

    @Test
    void aWayThatEndsLosesNothing() throws IOException {
        try (Worker lent = work();
                BorrowDaemon borrows = borrow(certificates.client("engine1"));
                Shredder engine = engine()) {
            assertCuts(engine, data);
            lends.close();
            assertCuts(engine, data);
            assertThat(lent.figures().bytesScanned()).isLessThan(2L * data.length);
            assertThat(borrows.from().port()).isPositive();
        }
    }
}
