// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** At a place that writes only in the place of what was read, as an object store does. */
class StoreLeaseTest {

    private static final UUID AGENT = new UUID(1, 1);
    private static final UUID OTHER = new UUID(2, 2);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final StoreLease.Timing QUICK =
            new StoreLease.Timing(Duration.ofMillis(20), Duration.ofMillis(300), Duration.ofMillis(400));
    private static final StoreLease.Timing TRUSTING = new StoreLease.Timing(LONG, LONG, SHORT);

    /** What all have in common. */
    private static final class Shared {
        private Optional<String> text = Optional.empty();
        private int writes;
        /** Written, once, before the next write. */
        private Optional<String> late = Optional.empty();
    }

    /** One's view. */
    private record View(Shared shared, List<Integer> seen) implements StoreLease.Place {

        View(Shared shared) {
            this(shared, new ArrayList<>(List.of(0)));
        }

        @Override
        public Optional<String> read() {
            synchronized (shared) {
                seen.set(0, shared.writes);
                return shared.text;
            }
        }

        @Override
        public boolean create(String text) {
            return put(Optional.of(text));
        }

        @Override
        public boolean replace(String text) {
            return put(Optional.of(text));
        }

        private boolean put(Optional<String> text) {
            synchronized (shared) {
                if (shared.late.isPresent()) {
                    shared.text = shared.late;
                    shared.late = Optional.empty();
                    shared.writes++;
                }
                if (seen.get(0) != shared.writes) {
                    return false;
                }
                shared.text = text;
                shared.writes++;
                seen.set(0, shared.writes);
                return true;
            }
        }

        @Override
        public void delete() {
            put(Optional.empty());
        }
    }

    private final Shared shared = new Shared();

    private StoreLease acquire(UUID agent) throws IOException {
        return StoreLease.acquire(new View(shared), "s3://bucket/store", agent, TRUSTING);
    }

    @Test
    void ofManyThatTakeItAtOnceOneHasIt() throws Exception {
        for (int round = 0; round < 6; round++) {
            shared.text = round % 2 == 0 ? Optional.empty() : Optional.of("agent x\nprocess 1 on elsewhere\n");
            ExecutorService threads = Executors.newFixedThreadPool(4);
            List<Callable<StoreLease>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                UUID agent = new UUID(9, i);
                all.add(() -> {
                    StoreLease lease = StoreLease.acquire(new View(shared), "store", agent, QUICK);
                    lease.keep();
                    return lease;
                });
            }
            int have = 0;
            for (Future<StoreLease> each : threads.invokeAll(all)) {
                try (StoreLease lease = each.get()) {
                    lease.ensureHeld();
                    have++;
                } catch (ExecutionException e) {
                    assertThat(e.getCause()).isInstanceOf(IOException.class);
                } catch (IOException e) { // It stood still for so long that another thought it dead.
                    assertThat(e).hasMessageContaining("was taken over");
                }
            }
            threads.shutdown();
            assertThat(have).as("round " + round).isEqualTo(1);
        }
    }

    @Test
    void whatThePredecessorStillHadOnItsWayKeepsItsSuccessorOutForNoTime() throws IOException {
        shared.text = Optional.of("agent " + AGENT + "\nprocess 1 on here\nsession x\nbeat 7\n");
        shared.late = Optional.of("agent " + AGENT + "\nprocess 1 on here\nsession x\nbeat 8\n");
        StoreLease lease = acquire(AGENT);
        lease.ensureHeld();
        assertThat(shared.text.orElseThrow()).contains(lease.session().toString());
    }

    @Test
    void whoeverWasOvertakenWhileHeTookItSaysSo() {
        shared.text = Optional.of("agent " + AGENT + "\nprocess 1 on here\nsession x\nbeat 7\n");
        shared.late = Optional.of("agent " + OTHER + "\nprocess 2 on elsewhere\nsession y\nbeat 1\n");
        assertThatThrownBy(() -> acquire(AGENT))
                .isInstanceOf(StoreInUseException.class)
                .hasMessageContaining("was taken over by process 2 on elsewhere");
    }

    @Test
    void doubtMakesTheNextChangeLookFirst() throws IOException {
        StoreLease lease = acquire(AGENT);
        shared.text = Optional.of("agent " + OTHER + "\nprocess 2 on elsewhere\nsession y\nbeat 1\n");
        shared.writes++;
        lease.ensureHeld();
        lease.doubt();
        assertThatThrownBy(lease::ensureHeld).hasMessageContaining("process 2 on elsewhere");
        assertThatThrownBy(lease::ensureHeld).hasMessageContaining("was taken over by another agent");
    }

    @Test
    void aRenewalThatAnotherCameBeforeIsNoRenewal() throws IOException {
        StoreLease lease = acquire(AGENT);
        shared.late = Optional.of("agent " + OTHER + "\nprocess 2 on elsewhere\nsession y\nbeat 1\n");
        lease.doubt();
        assertThatThrownBy(lease::ensureHeld).hasMessageContaining("process 2 on elsewhere");
        lease.close();
        assertThat(shared.text.orElseThrow()).contains(OTHER.toString());
    }
}
