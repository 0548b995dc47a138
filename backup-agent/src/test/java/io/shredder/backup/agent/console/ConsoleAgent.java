// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.ShownCertificate;
import io.shredder.backup.agent.care.CareStanding;
import io.shredder.backup.agent.session.SessionStatus;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.console.Visitors;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.HostPort;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * What a console looks at: a real repository with real rights; the test says who is connected and what care there was.
 */
final class ConsoleAgent implements Closeable {

    private final AccessFile rights;
    private final Repository repository;
    private final List<StoredRegion> chunks = Samples.chunks(new Random(9), 6, 500);
    private final Instant started = Instant.parse("2026-03-01T12:00:00Z");
    private volatile Instant now = started;
    private volatile List<SessionStatus> sessions = List.of();
    private volatile List<CareStanding> care = List.of();
    private volatile Instant certificateEnds = Instant.parse("2027-01-01T00:00:00Z");

    ConsoleAgent(Path folder, String rightsText) throws IOException {
        Path file = folder.resolve("rights.yaml");
        Files.writeString(file, rightsText);
        rights = AccessFile.open(file);
        repository = Repository.open(folder.resolve("repo"), clock());
    }

    private Clock clock() {
        InstantSource source = () -> now;
        return source.withZone(ZoneOffset.UTC);
    }

    void at(Instant time) {
        now = time;
    }

    void sessions(SessionStatus... next) {
        sessions = List.of(next);
    }

    void care(CareStanding... next) {
        care = List.of(next);
    }

    void certificateEnds(Instant time) {
        certificateEnds = time;
    }

    Repository repository() {
        return repository;
    }

    /** A client's session, by the rights; the serial number of its certificate is the length of its name. */
    TestSession session(String client) {
        SnapshotName name = new SnapshotName(client);
        return new TestSession(
                repository,
                rights.current().of(name).orElseThrow(),
                new ShownCertificate(name, BigInteger.valueOf(client.length()), (asked, serial) -> rights.current()
                        .of(asked)));
    }

    /** A client backs up. */
    void backUp(String client, String series) throws IOException {
        try (TestSession session = session(client)) {
            session.backUp(series, chunks);
        }
    }

    /** One that each backup has. */
    Fingerprint aChunk() {
        return chunks.get(0).fingerprints().get(0);
    }

    AgentSources sources() {
        return new AgentSources(
                repository, () -> sessions, () -> care, rights::current, certificateEnds, started, clock());
    }

    /** Listens on a free port of this machine. */
    AgentConsole serve() throws IOException {
        return AgentConsole.start(
                new HostPort("127.0.0.1", 0), Optional.empty(), new Visitors(Optional.empty()), sources());
    }

    @Override
    public void close() throws IOException {
        repository.close();
    }
}
