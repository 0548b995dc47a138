// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long the threads of a stage were there, and how much of that they waited: for what they work on, or for somebody
 * to take what they made. The rest they were busy, or had no core. Safe for any number of threads.
 */
public final class StageTime {

    private final String name;
    private final Optional<String> roomAt;
    private final LongAdder threads = new LongAdder();
    private final LongAdder presentNs = new LongAdder();
    private final LongAdder inputNs = new LongAdder();
    private final LongAdder roomNs = new LongAdder();
    private final LongAdder calledNs = new LongAdder();

    /** What a thread does that may take a while. */
    @FunctionalInterface
    public interface Action<E extends Exception> {
        /** Does it. */
        void run() throws E;
    }

    /** The same with a result. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        /** Does it. */
        T run() throws E;
    }

    /** @param name as people call the stage */
    public StageTime(String name) {
        this(name, Optional.empty());
    }

    /**
     * The last of some stages.
     *
     * @param roomAt who has to have room for what it makes
     */
    public StageTime(String name, String roomAt) {
        this(name, Optional.of(roomAt));
    }

    private StageTime(String name, Optional<String> roomAt) {
        this.name = name;
        this.roomAt = roomAt;
    }

    /** All that a thread of the stage does. */
    public <E extends Exception> void present(Action<E> action) throws E {
        threads.increment();
        timed(presentNs, action);
    }

    /** It needs what comes of this to go on with. */
    public <T, E extends Exception> T awaitingInput(Work<T, E> work) throws E {
        return timed(inputNs, work);
    }

    /** The thread that is present has waited so long for what it works on. */
    public void awaitedInput(long ns) {
        inputNs.add(ns);
    }

    /** The thread that is present has waited so long for room. */
    public void awaitedRoom(long ns) {
        roomNs.add(ns);
    }

    /** It has made something that somebody must have room for. */
    public <T, E extends Exception> T awaitingRoom(Work<T, E> work) throws E {
        return timed(roomNs, work);
    }

    /** The same without a result. */
    public <E extends Exception> void givingAway(Action<E> action) throws E {
        timed(roomNs, action);
    }

    /** What is done of a stage whose threads others have work for them, and tell about by {@link #wereThere}. */
    public <T, E extends Exception> T called(Work<T, E> work) throws E {
        return timed(calledNs, work);
    }

    /** So many threads could be called for so long. */
    public void wereThere(int count, long ns) {
        threads.add(count - threads.sum());
        presentNs.add(count * ns);
        inputNs.add(Math.max(0, count * ns - calledNs.sumThenReset()));
    }

    private static <E extends Exception> void timed(LongAdder total, Action<E> action) throws E {
        long beginNs = System.nanoTime();
        try {
            action.run();
        } finally {
            total.add(System.nanoTime() - beginNs);
        }
    }

    private static <T, E extends Exception> T timed(LongAdder total, Work<T, E> work) throws E {
        long beginNs = System.nanoTime();
        try {
            return work.run();
        } finally {
            total.add(System.nanoTime() - beginNs);
        }
    }

    /** How long threads have waited for room so far. */
    public long awaitingRoomNs() {
        return roomNs.sum();
    }

    /** What came of it, once the stage has ended. */
    public Figures figures() {
        return new Figures(name, roomAt, threads.intValue(), seconds(presentNs), seconds(inputNs), seconds(roomNs));
    }

    private static double seconds(LongAdder ns) {
        return ns.sum() / 1e9;
    }

    /**
     * How long all threads of a stage took together.
     *
     * @param roomAt who has to have room for what it makes, if that is no other stage
     * @param presentSeconds from their begin to their end
     * @param inputSeconds waited for what they work on
     * @param roomSeconds waited for room for what they made
     */
    public record Figures(
            String name,
            Optional<String> roomAt,
            int threads,
            double presentSeconds,
            double inputSeconds,
            double roomSeconds) {

        /** What is left. */
        public double busySeconds() {
            return Math.max(0, presentSeconds - inputSeconds - roomSeconds);
        }

        /** For {@code --json}: keys stay as they are. */
        public Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("stage", name);
            json.put("threads", threads);
            json.put("busySeconds", rounded(busySeconds()));
            json.put("awaitingInputSeconds", rounded(inputSeconds));
            json.put("awaitingRoomSeconds", rounded(roomSeconds));
            return json;
        }

        private static double rounded(double seconds) {
            return Math.round(seconds * 1e3) / 1e3;
        }
    }
}
