// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.s3.StubStore.Answer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long an object store obeys a deletion, whatever this machine's clock says and however long the machine slept. */
class S3DeletionTest {

    private static final S3Place PLACE = new S3Place("bucket", "s");
    private static final DateTimeFormatter SIGNED =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final List<String> deletions = new CopyOnWriteArrayList<>();
    private final List<Answer> refusals = new CopyOnWriteArrayList<>();

    private StubStore store() throws IOException {
        return new StubStore(asked -> {
            if (!asked.method().equals("DELETE")) {
                return StubStore.EMPTY;
            }
            deletions.add(asked.target());
            return refusals.isEmpty() ? new Answer("204 No Content") : refusals.remove(0);
        });
    }

    private static String field(String deletion, String name) {
        Matcher found = Pattern.compile("[?&]" + name + "=([^& ]+)").matcher(deletion);
        assertThat(found.find()).as(name + " in " + deletion).isTrue();
        return found.group(1);
    }

    private static Instant signed(String deletion) {
        return SIGNED.parse(field(deletion, "X-Amz-Date"), Instant::from);
    }

    private static Instant expires(String deletion) {
        return signed(deletion).plusSeconds(Long.parseLong(field(deletion, "X-Amz-Expires")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, -20, 300, -300})
    void aDeletionIsGoodForTenSecondsByTheClockOfTheObjectStore(int ahead) throws IOException {
        try (StubStore store = store();
                S3Objects objects = new S3Objects(PLACE, store.settings(), 1 << 20)) {
            store.setAhead(Duration.ofSeconds(ahead));
            objects.list();
            objects.delete("snapshots/x");
            assertThat(deletions).hasSize(1);
            Duration left = Duration.between(store.now(), expires(deletions.get(0)));
            assertThat(left).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(11));
        }
    }

    /** The second that a signature names must be over before the fence lets anything through. */
    @Test
    void aDeletionIsSignedBeforeTheFenceIsAskedSoThatItIsOldWhenAMachineSleepsAfterThat() throws IOException {
        try (StubStore store = store();
                S3Objects objects = new S3Objects(PLACE, store.settings(), 1 << 20)) {
            objects.list();
            List<Instant> asked = new CopyOnWriteArrayList<>();
            objects.watch().setFence(() -> {
                asked.add(Instant.now());
                Instant next = asked.get(0).truncatedTo(ChronoUnit.SECONDS).plusSeconds(2);
                while (Instant.now().isBefore(next)) {
                    Thread.onSpinWait();
                }
            });
            objects.delete("snapshots/x");
            assertThat(asked).hasSize(1);
            assertThat(signed(deletions.get(0))).isBeforeOrEqualTo(asked.get(0));
        }
    }

    @Test
    void aDeletionThatFailsInsideIsSignedAnewEachTime() throws IOException {
        try (StubStore store = store();
                S3Objects objects = new S3Objects(PLACE, store.settings(), 1 << 20)) {
            objects.list();
            refusals.add(new Answer("409 Conflict"));
            for (int i = 0; i < 6; i++) {
                refusals.add(new Answer("500 Internal Server Error"));
            }
            objects.delete("snapshots/x");
            assertThat(deletions).hasSize(8);
            assertThat(Duration.between(store.now(), expires(deletions.get(7)))).isPositive();
            assertThat(objects.watch().counts().requests()).containsEntry("DeleteObject", 8L);
        }
    }

    @Test
    void whatWasDeletedMeanwhileIsNotLockedAndThatIsNoError() throws IOException {
        Retention day = new Retention(Duration.ofDays(1), Retention.Mode.GOVERNANCE);
        List<String> locked = new CopyOnWriteArrayList<>();
        try (StubStore store = new StubStore(asked -> {
                    locked.add(asked.method() + " " + asked.target());
                    return asked.target().contains("gone")
                            ? Answer.error("404 Not Found", "NoSuchKey")
                            : Answer.error("403 Forbidden", "AccessDenied");
                });
                S3Objects objects = new S3Objects(PLACE, store.settings(), 1 << 20)) {
            objects.protect("snapshots/gone", day);
            assertThat(locked).singleElement().asString().contains("PUT ", "gone?retention");
            assertThatThrownBy(() -> objects.protect("snapshots/x", day)).hasMessageContaining("snapshots/x");
        }
    }

    @Test
    void whatIsNotThereIsDeletedAndWhoMayNotIsToldSoAtOnce() throws IOException {
        try (StubStore store = store();
                S3Objects objects = new S3Objects(PLACE, store.settings(), 1 << 20)) {
            refusals.add(Answer.error("404 Not Found", "NoSuchKey"));
            objects.delete("snapshots/x");
            refusals.add(Answer.error("403 Forbidden", "AccessDenied"));
            assertThatThrownBy(() -> objects.delete("snapshots/x"))
                    .hasMessageContaining("deleting snapshots/x")
                    .hasMessageContaining("the keys don't give the right to do that")
                    .hasMessageContaining("or it came too late");
            assertThat(deletions).hasSize(2);
        }
    }

    @Test
    void whatTheFenceSaysIsThrownAsItIsSaid() throws IOException {
        try (StubStore store = store();
                S3Objects objects = new S3Objects(PLACE, store.settings(), 1 << 20)) {
            objects.watch().setFence(() -> {
                throw new IOException("it was taken over");
            });
            assertThatThrownBy(() -> objects.delete("snapshots/x"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("it was taken over");
            assertThat(deletions).isEmpty();
        }
    }
}
