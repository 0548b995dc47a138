// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lease;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a second agent out of a store: a file that whoever has the store open writes again and again
 * ({@code docs/formats/container.md}, section 5). One that nobody has written for a while is of a dead process, and is
 * taken over; no clocks are compared, only waiting times measured. Whoever finds another's file where his own was has
 * lost the store and never writes to it again. Safe for any number of threads; one of its own, {@code store-lease}.
 */
public final class StoreLease implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(StoreLease.class);
    private static final int TAKING_ATTEMPTS = 5;

    /** Where the file is. */
    public interface Place {
        /** What it holds, if it is there. */
        Optional<String> read() throws IOException;

        /** Makes it; false if it is there already. */
        boolean create(String text) throws IOException;

        /**
         * Writes it anew, whole or not at all.
         *
         * @return false if this place can tell that another has written it, or deleted it, since it was last read or
         *     written here; then it is as it was
         */
        boolean replace(String text) throws IOException;

        /** Deletes it. */
        void delete() throws IOException;
    }

    /**
     * How long things take.
     *
     * @param renewal between two writes
     * @param validity how long after a write the writer may trust that nobody has taken the store over
     * @param takeover after which a file that stays as it is belongs to nobody; longer than the validity
     */
    public record Timing(Duration renewal, Duration validity, Duration takeover) {
        /** For stores that answer within seconds. */
        public static final Timing DEFAULT =
                new Timing(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(45));
    }

    private final Place place;
    private final String store;
    private final String agent;
    private final Timing timing;
    private final UUID session = UUID.randomUUID();
    private final Thread renewer = new Thread(this::renewUntilClosed, "store-lease");
    private long beat;
    private long validUntilNs;
    private long validUntilMs;
    private boolean lost;
    private boolean closed;

    private StoreLease(Place place, String store, String agent, Timing timing) {
        this.place = place;
        this.store = store;
        this.agent = agent;
        this.timing = timing;
    }

    /**
     * Takes the store, if need be after waiting for a sign of life of another that had it. It is kept by {@link #keep}.
     *
     * @param store for messages
     * @param agent who asks; what the same one left is known to be dead, since it keeps others out at its own place
     * @throws IOException if another agent is alive
     */
    public static StoreLease acquire(Place place, String store, UUID agent, Timing timing) throws IOException {
        StoreLease lease = new StoreLease(place, store, "agent " + agent, timing);
        lease.take();
        return lease;
    }

    /** Begins to write the file again and again; once. */
    public void keep() {
        renewer.setDaemon(true);
        renewer.start();
    }

    private synchronized void take() throws IOException {
        Optional<String> before = place.read();
        if (before.isEmpty()) {
            requireTaken(write(place::create));
        } else if (firstLine(before.get()).equals(agent)) {
            takeFromPredecessor();
        } else {
            awaitDeath(before.get());
            requireTaken(write(place::replace));
            // Another that waited may have written at the same moment: the last has it.
            pause(timing.renewal().dividedBy(5));
            checkStillMine();
        }
    }

    /** What it still had on its way may arrive in between. */
    private void takeFromPredecessor() throws IOException {
        boolean taken = write(place::replace);
        for (int attempt = 1; !taken && attempt < TAKING_ATTEMPTS; attempt++) {
            Optional<String> now = place.read();
            boolean predecessor = now.isPresent() && firstLine(now.get()).equals(agent) && !isMine(now.get());
            if (!predecessor) {
                break;
            }
            taken = write(place::replace);
        }
        requireTaken(taken);
    }

    private void requireTaken(boolean taken) throws IOException {
        if (!taken) {
            checkStillMine(); // It may be there all the same, if its answer was lost.
        }
    }

    /** Sees whether the file changes. One that can't be read tells nothing, so the last look must succeed. */
    private void awaitDeath(String before) throws IOException {
        LOG.info("store {} was open at {}: waiting for a sign of life", store, describe(before));
        long end = System.nanoTime() + timing.takeover().toNanos();
        while (true) {
            pause(timing.renewal().dividedBy(20));
            boolean last = System.nanoTime() >= end;
            try {
                Optional<String> now = place.read();
                if (now.isPresent() && !now.get().equals(before)) {
                    throw new StoreInUseException(
                            "store " + store + " is in use by " + describe(now.get()) + ": stop that agent first");
                }
                if (last) {
                    break;
                }
            } catch (StoreInUseException e) {
                throw e;
            } catch (IOException e) {
                if (last) {
                    throw e;
                }
            }
        }
        LOG.warn("store {} is taken over from {}, which is dead", store, describe(before));
    }

    private interface Writing {
        boolean write(String text) throws IOException;
    }

    private boolean write(Writing writing) throws IOException {
        long startNs = System.nanoTime();
        long startMs = System.currentTimeMillis();
        beat++;
        String text = agent + "\n" + "process " + ProcessHandle.current().pid() + " on " + host() + "\nsession "
                + session + "\nbeat " + beat + "\n";
        boolean written = writing.write(text);
        if (written) {
            validUntilNs = startNs + timing.validity().toNanos();
            validUntilMs = startMs + timing.validity().toMillis();
        }
        return written;
    }

    /** Also of a write that failed here and arrived all the same. */
    private boolean isMine(String text) {
        return text.contains("\nsession " + session + "\n");
    }

    private void checkStillMine() throws IOException {
        Optional<String> now = place.read();
        if (now.isEmpty() || !isMine(now.get())) {
            lost = true;
            throw new StoreInUseException("store " + store + " was taken over by "
                    + now.map(StoreLease::describe).orElse("somebody who deleted its owner file")
                    + ": nothing more is written there; stop one of the two and start this one again");
        }
    }

    private synchronized void renew() throws IOException {
        if (!lost && !closed) {
            checkStillMine();
            if (!write(place::replace)) {
                checkStillMine();
                throw new IOException("store " + store + ": its owner file was written by somebody else meanwhile");
            }
        }
    }

    /** Another clock than this machine's says that the last renewal is long ago: the next change looks first. */
    public synchronized void doubt() {
        validUntilNs = System.nanoTime();
    }

    /** Of this process's having the store; no other has the same. */
    public UUID session() {
        return session;
    }

    /**
     * To be called before anything is changed.
     *
     * @throws IOException if another agent has taken the store over, or that can't be ruled out
     */
    public synchronized void ensureHeld() throws IOException {
        if (lost || closed) {
            throw new IOException("store " + store
                    + (lost ? " was taken over by another agent" : " is closed")
                    + ": nothing more is written there; start this agent again once the other is stopped");
        }
        if (System.nanoTime() - validUntilNs >= 0 || System.currentTimeMillis() >= validUntilMs) {
            renew();
        }
    }

    private void renewUntilClosed() {
        while (true) {
            synchronized (this) {
                if (lost || closed) {
                    return;
                }
            }
            try {
                Thread.sleep(timing.renewal().toMillis());
                renew();
            } catch (IOException e) {
                LOG.error("{}", e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void pause(Duration time) throws IOException {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the store", e);
        }
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    /** The second line says where; whatever else is in the file is not worth trusting. */
    private static String describe(String text) {
        return text.lines().skip(1).findFirst().orElse("an unknown agent");
    }

    private static String host() {
        try {
            return java.net.InetAddress.getLocalHost().getHostName();
        } catch (java.net.UnknownHostException e) {
            return "an unknown host";
        }
    }

    /** As a place keeps it. */
    public static ByteBuffer encode(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Gives the store back. */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            boolean held = !closed && !lost;
            closed = true;
            renewer.interrupt();
            if (held && place.read().filter(this::isMine).isPresent()) {
                place.delete();
            }
        }
    }
}
