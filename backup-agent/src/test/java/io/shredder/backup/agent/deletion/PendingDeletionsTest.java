// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.audit.AuditLog;
import io.shredder.backup.agent.file.SpaceReserve;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.PendingDeletion.Going;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PendingDeletionsTest {

    private static final Instant START = Instant.parse("2026-05-04T03:02:01Z");
    private static final SnapshotName SITE = new SnapshotName("site1");
    private static final SnapshotName ADMIN = new SnapshotName("site1-admin");
    private static final SnapshotName SECOND = new SnapshotName("site1-second");
    private static final BigInteger SERIAL = new BigInteger("1234567890abcdef", 16);
    private static final Duration DAY = Duration.ofHours(24);
    private static final Path GOLDEN = Path.of("../testvectors/pending-v2.bin");

    @TempDir
    private Path folder;

    private final UUID repository = new UUID(1, 2);
    private final Set<Long> gone = new HashSet<>();
    private AuditLog audit;
    private PendingDeletions pending;

    @BeforeEach
    void start() throws IOException {
        at(START);
    }

    /** As an agent that is started at that time. */
    private void at(Instant now) throws IOException {
        if (audit != null) {
            audit.close();
        }
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        SpaceReserve reserve = new SpaceReserve(folder.resolve("reserve"), () -> 0);
        audit = AuditLog.open(folder.resolve("audit.log"), clock, reserve);
        pending = new PendingDeletions(folder.resolve("pending"), repository, clock, audit, reserve);
    }

    @AfterEach
    void close() throws IOException {
        audit.close();
    }

    private static List<Going> going(long... ids) {
        List<Going> going = new ArrayList<>();
        for (long id : ids) {
            Fingerprint digest = Fingerprint.ofData(ByteBuffer.allocate(8).putLong(0, id));
            going.add(new Going(id, new SnapshotName("vm"), START.minusSeconds(id), 1000 + id, digest));
        }
        return going;
    }

    private Optional<PendingDeletion> tryToAsk(SnapshotName client, long... ids) throws IOException {
        return pending.ask(SITE, client, SERIAL, going(ids), DAY, this::isThere);
    }

    private PendingDeletion ask(long... ids) throws IOException {
        return tryToAsk(ADMIN, ids).orElseThrow();
    }

    private boolean isThere(Going going) {
        return !gone.contains(going.id());
    }

    private List<PendingDeletion> waiting() throws IOException {
        List<PendingDeletion> all = new ArrayList<>();
        for (var next = pending.next(SITE, 0, this::isThere);
                next.isPresent();
                next = pending.next(SITE, next.get().id(), this::isThere)) {
            all.add(next.get());
        }
        return all;
    }

    private List<Long> confirmed(long id) throws IOException {
        List<Long> done = new ArrayList<>();
        pending.<RuntimeException>confirm(
                SITE,
                id,
                this::isThere,
                request -> done.addAll(request.deletion().ids()));
        return done;
    }

    private String lastLine() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("audit.log"));
        return lines.get(lines.size() - 1);
    }

    @Test
    void aRequestWaitsOverARestartAndIsDoneOnce() throws IOException {
        PendingDeletion asked = ask(3, 5);
        assertThat(lastLine())
                .contains(
                        "\"event\":\"deletion-asked\",\"client\":\"site1-admin\",\"namespace\":\"site1\",\"request\":1")
                .contains("\"snapshots\":[3,5]");
        at(START.plus(DAY).minusMillis(1));
        assertThat(waiting()).containsExactly(asked);
        assertThat(confirmed(asked.id())).containsExactly(3L, 5L);
        assertThat(confirmed(asked.id())).isEmpty();
        assertThat(waiting()).isEmpty();
    }

    @Test
    void aRequestThatCouldNotBeDoneGoesOnWaiting() throws IOException {
        PendingDeletion asked = ask(3);
        assertThatThrownBy(() -> pending.<IOException>confirm(SITE, asked.id(), this::isThere, request -> {
                    throw new IOException("disk");
                }))
                .hasMessage("disk");
        assertThat(waiting()).containsExactly(asked);
    }

    @Test
    void theSameRequestIsFoundAgainAndItsTimeGoesOn() throws IOException {
        PendingDeletion asked = ask(3, 5);
        at(START.plusSeconds(3600));
        assertThat(ask(3, 5)).isEqualTo(asked);
        assertThat(waiting()).containsExactly(asked);
    }

    @Test
    void aRequestOfARenewedCertificateStandsForThatOfTheOldOne() throws IOException {
        ask(3, 5);
        pending.ask(SITE, ADMIN, SERIAL.add(BigInteger.ONE), going(3, 5), DAY, this::isThere);
        assertThat(waiting()).extracting(PendingDeletion::id).containsExactly(2L);
    }

    @Test
    void aRequestForMoreStandsForTheClientsOwnOlderOneAndHasAnotherId() throws IOException {
        ask(3);
        tryToAsk(SECOND, 3);
        PendingDeletion other = ask(9);
        PendingDeletion more = ask(3, 5);
        assertThat(waiting()).extracting(PendingDeletion::id).containsExactly(2L, other.id(), more.id());
        assertThat(confirmed(1)).isEmpty();
        assertThat(more.id()).isEqualTo(4);
    }

    @Test
    void aRequestLapsesWithItsTimeAndIsWrittenDown() throws IOException {
        PendingDeletion asked = ask(3);
        at(START.plus(DAY));
        assertThat(confirmed(asked.id())).isEmpty();
        assertThat(lastLine()).contains("deletion-lapsed").contains("nobody confirmed it until");
        assertThat(ask(3).id()).isEqualTo(2);
    }

    @Test
    void aClockThatIsSetBackEndsRequestsAndDoesNotMakeThemLastLonger() throws IOException {
        PendingDeletion asked = ask(3);
        at(START.minusSeconds(30));
        assertThat(waiting()).containsExactly(asked);
        at(START.minusSeconds(61));
        assertThat(confirmed(asked.id())).isEmpty();
        assertThat(lastLine()).contains("the agent's clock was set back");
    }

    @Test
    void aRequestWhoseSnapshotIsGoneLapsesWhole() throws IOException {
        PendingDeletion asked = ask(3, 5);
        gone.add(5L);
        assertThat(confirmed(asked.id())).isEmpty();
        assertThat(lastLine()).contains("snapshot 5 is not there as it was");
    }

    @Test
    void aFloodEndsAtALimitThatWithdrawingDoesNotRaise() throws IOException {
        for (int i = 1; i <= PendingDeletions.MOST_OF_A_CLIENT; i++) {
            PendingDeletion asked = ask(i);
            if (i % 2 == 0) {
                assertThat(pending.withdraw(SITE, asked.id(), SECOND, this::isThere))
                        .isTrue();
                assertThat(lastLine()).contains("\"withdrawnBy\":\"site1-second\"");
            }
        }
        assertThat(tryToAsk(ADMIN, 99)).isEmpty();
        long lines = Files.size(folder.resolve("audit.log"));
        assertThat(tryToAsk(ADMIN, 99)).isEmpty();
        assertThat(Files.size(folder.resolve("audit.log"))).isEqualTo(lines);
        assertThat(tryToAsk(SECOND, 99)).isPresent();
        at(START.plus(DAY));
        assertThat(tryToAsk(ADMIN, 99)).isPresent();
    }

    @Test
    void anotherNamespaceSeesNothingOfIt() throws IOException {
        PendingDeletion asked = ask(3);
        SnapshotName other = new SnapshotName("site2");
        assertThat(pending.next(other, 0, this::isThere)).isEmpty();
        assertThat(pending.withdraw(other, asked.id(), SECOND, this::isThere)).isFalse();
        assertThat(pending.<RuntimeException>confirm(other, asked.id(), this::isThere, request -> {}))
                .isFalse();
    }

    @Test
    void theFileHasExactlyTheDocumentedBytes() throws IOException {
        ask(3);
        ask(3, 5);
        Path file = folder.resolve("pending/site1");
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(file)))
                .isEqualTo(HexFormat.of().formatHex(Files.readAllBytes(GOLDEN)));
        Files.copy(GOLDEN, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThat(waiting()).singleElement().satisfies(read -> {
            assertThat(read.id()).isEqualTo(2);
            assertThat(read.client()).isEqualTo(ADMIN);
            assertThat(read.until()).isEqualTo(START.plus(DAY));
            assertThat(read.snapshots()).isEqualTo(going(3, 5));
        });
    }

    @Test
    void damageOfAnyByteIsRefusedByFileAndOffset() throws IOException {
        ask(3);
        ask(3, 5);
        Path file = folder.resolve("pending/site1");
        byte[] good = Files.readAllBytes(file);
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= 4;
            assertRefused(file, bad);
            assertRefused(file, java.util.Arrays.copyOf(good, at));
        }
        assertRefused(file, java.util.Arrays.copyOf(good, good.length + 1));
        Files.write(file, good);
        assertThat(waiting()).hasSize(1);
    }

    private void assertRefused(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
        assertThatThrownBy(this::waiting)
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining(file + ": damaged at offset");
        assertThatThrownBy(() -> ask(7)).isInstanceOf(DamagedDataException.class);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }
}
