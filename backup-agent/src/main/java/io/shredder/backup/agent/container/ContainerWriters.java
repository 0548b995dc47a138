// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.region.StoredRegion;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The containers that are appended to: one as long as that suffices, more when several threads append at once.
 * Each is taken by one thread for one region. A container is <em>retired</em> when it takes no more; it stays until it
 * has been forced. All of them lie behind what the index covers, but for the beginning of the first. Safe for any
 * number of threads.
 *
 * <p>After each {@link Pause}, only the last container goes on: so one position tells what has been covered.
 */
public final class ContainerWriters implements Closeable {

    private static final int MOST_ACTIVE = 8;

    /** For each that takes regions: that one, one on its way to the store, one that arrived and is not covered yet. */
    private static final int OPEN_EACH = 3;

    /** How many of the last containers a process may have open when it dies. */
    public static final int MOST_OPEN = OPEN_EACH * MOST_ACTIVE;

    private final ReentrantLock lock = new ReentrantLock();
    /** Who waits for a container, each by a condition of its own. */
    private final Deque<Condition> queue = new ArrayDeque<>();
    /** A container was given back, or appends go on. */
    private final Condition changed = lock.newCondition();

    private final ContainerFolder folder;
    private final int maxBytes;
    private final int mostActive;

    /** By number; changed only under the lock, but asked by any thread. */
    private final ConcurrentSkipListMap<Integer, OpenContainer> open = new ConcurrentSkipListMap<>();

    private final OpenContainers growing = new OpenContainers(open.values());

    /** Where the last container ends, if none is open. */
    private ContainerPosition closedEnd;

    private final ContainerNumbers numbers;
    private int pauses;
    private boolean paused;
    private volatile @Nullable IOException failure;

    /**
     * Goes on where the containers end.
     *
     * @param maxBytes when a container is full; a single region may be longer
     * @param end the end of the last container, or {@link ContainerPosition#START}
     */
    public ContainerWriters(ContainerFolder folder, int maxBytes, ContainerPosition end) throws IOException {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.closedEnd = end;
        this.numbers = new ContainerNumbers(end.container(), folder.storage().lateFiles());
        int cores = Runtime.getRuntime().availableProcessors();
        this.mostActive = folder.storage().growsSideBySide() ? Math.max(2, Math.min(MOST_ACTIVE, cores / 2)) : 1;
        if (end.container() > 0 && end.offset() > 0) {
            Optional<AppendableFile> resumed = folder.storage().resume(folder.name(end.container()), end.offset());
            if (resumed.isPresent()) {
                OpenContainer last = new OpenContainer(this, end.container(), maxBytes);
                last.resume(resumed.get(), end.offset());
                last.taken = false;
                open.put(end.container(), last);
            }
        }
    }

    /**
     * Takes a container that has room for a region, or begins one. The caller gives it back; while all are taken,
     * whoever came first is served first.
     *
     * @return empty if what is full must be covered first: {@link #pause}
     */
    public Optional<OpenContainer> take(StoredRegion region) throws IOException {
        OpenContainer begun;
        lock.lock();
        Condition turn = lock.newCondition();
        queue.addLast(turn);
        try {
            wakeFirst(); // It may want another container, now that there is one more in the queue.
            awaitUntil(turn, () -> nextStep(turn, region) != Step.WAIT);
            checkUsable();
            Step step = nextStep(turn, region);
            if (step == Step.COVER) {
                return Optional.empty();
            } else if (step == Step.TAKE) {
                return growing.idleWithRoom(region).map(this::take);
            }
            begun = newContainer();
        } finally {
            queue.remove(turn);
            wakeFirst();
            lock.unlock();
        }
        return Optional.of(create(begun));
    }

    /**
     * Whether what is full must be covered before a region has room: {@link #pause}. Waits for the disk, but for nobody
     * who appends, since there is room most of the time; who takes a container may still be told to cover first.
     */
    public boolean mustCover(StoredRegion region) throws IOException {
        lock.lock();
        try {
            awaitUntil(changed, () -> failure != null || (!paused && mayCome(region)));
            checkUsable();
            return firstStep(region) == Step.COVER;
        } finally {
            lock.unlock();
        }
    }

    /** Whether what is full can be covered while others take regions. */
    public boolean growSideBySide() {
        return mostActive > 1;
    }

    private boolean mayCome(StoredRegion region) {
        return firstStep(region) != Step.WAIT || growing.active() > 0;
    }

    private enum Step {
        WAIT,
        TAKE,
        BEGIN,
        COVER
    }

    private Step nextStep(Condition turn, StoredRegion region) {
        if (failure != null) {
            return Step.COVER; // Which says what failed.
        }
        return turn.equals(queue.peekFirst()) && !paused ? firstStep(region) : Step.WAIT;
    }

    /** Of whoever is first in the queue, while appends go on. */
    private Step firstStep(StoredRegion region) {
        if (growing.idleWithRoom(region).isPresent()) {
            return Step.TAKE;
        }
        int active = growing.active();
        if (active == 0 && !open.isEmpty() && pauses == 0) {
            return Step.COVER;
        }
        return mayBegin(active) ? Step.BEGIN : Step.WAIT;
    }

    private OpenContainer take(OpenContainer idle) {
        idle.taken = true;
        return idle;
    }

    private void wakeFirst() {
        Condition first = queue.peekFirst();
        if (first != null) {
            first.signal();
        }
    }

    /** While what is full is on its way, or being covered, others may be begun; but none beside the very first. */
    private boolean mayBegin(int active) {
        int mostOpen = mostActive == 1 ? 1 : OPEN_EACH * mostActive;
        return active < mostActive && open.size() < mostOpen && (numbers.isFirstThere() || open.isEmpty());
    }

    private OpenContainer newContainer() {
        OpenContainer begun = new OpenContainer(this, numbers.next(), maxBytes);
        open.put(begun.number(), begun);
        return begun;
    }

    /** Makes its file; if another's is there that came late, then that of one far behind it. */
    private OpenContainer create(OpenContainer begun) throws IOException {
        boolean isFirst = !numbers.isFirstThere();
        try {
            begun.create(folder, isFirst);
            change(numbers::noteFirst);
            return begun;
        } catch (IOException | RuntimeException e) {
            boolean cameLate = isFirst && e instanceof FileAlreadyExistsException;
            OpenContainer[] behind = {begun};
            change(() -> behind[0] = forget(begun, cameLate));
            if (cameLate) {
                return create(behind[0]);
            }
            throw e;
        }
    }

    private OpenContainer forget(OpenContainer failed, boolean cameLate) {
        open.remove(failed.number());
        if (cameLate) {
            numbers.passBy(failed.number());
            return newContainer();
        }
        numbers.giveBackTo(open.isEmpty() ? closedEnd.container() : open.lastKey());
        return failed;
    }

    /** Changes something that others may wait for. */
    private void change(Runnable step) {
        lock.lock();
        try {
            step.run();
            wakeFirst();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A container that was taken is not needed any more. */
    public void giveBack(OpenContainer container) {
        change(() -> {
            container.taken = false;
            container.forced = false;
        });
    }

    private static void awaitUntil(Condition condition, BooleanSupplier reached) throws InterruptedIOException {
        try {
            while (!reached.getAsBoolean()) {
                condition.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a container");
        }
    }

    private void awaitNotTaken(OpenContainer container) throws InterruptedIOException {
        awaitUntil(changed, () -> !container.taken);
    }

    /** Where the last container ends. */
    public ContainerPosition end() {
        lock.lock();
        try {
            return open.isEmpty() ? closedEnd : open.lastEntry().getValue().end();
        } finally {
            lock.unlock();
        }
    }

    /** The same; from now on everything goes behind it. To be called while nobody appends. */
    public ContainerPosition line() {
        lock.lock();
        try {
            growing.retireBefore(numbers.last());
            return end();
        } finally {
            lock.unlock();
        }
    }

    /** Whether more may be added to a container; any thread may ask. */
    public boolean isOpen(int container) {
        return open.containsKey(container);
    }

    /** Adds no more to a container, and makes sure that it is not the last. Returns whether it might have been. */
    public boolean leave(int container) throws IOException {
        OpenContainer begun;
        lock.lock();
        try {
            checkUsable();
            OpenContainer left = open.get(container);
            if (left != null) {
                left.retired = true;
                awaitNotTaken(left);
            }
            if (end().container() != container) {
                return left != null;
            }
            begun = newContainer();
        } finally {
            lock.unlock();
        }
        giveBack(create(begun));
        return true;
    }

    /** Whether readers find what is here; any thread may ask. Else it must be shown first. */
    public boolean shows(ChunkLocation location) {
        OpenContainer container = open.get(location.container());
        return container == null || container.shows(location.offset());
    }

    /** Lets readers find all that was appended to this container. */
    public void show(int number) throws IOException {
        OpenContainer container;
        lock.lock();
        try {
            container = open.get(number);
            if (container == null) {
                return;
            }
            awaitNotTaken(container);
            container.taken = true;
        } finally {
            lock.unlock();
        }
        try {
            container.show();
        } finally {
            giveBack(container);
        }
    }

    /** Nobody appends until {@link Pause#force}; waits for those who do. One at a time. */
    public Pause pause() throws IOException {
        checkUsable();
        lock.lock();
        try {
            paused = true;
            pauses++;
            awaitUntil(changed, growing::noneTaken);
            growing.retireBefore(numbers.last());
            List<OpenContainer> toForce = growing.takeToForce();
            return new Pause(this, end(), toForce);
        } catch (IOException e) {
            endPause();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Others may append again. */
    void goOn() {
        change(() -> paused = false);
    }

    void endPause() {
        change(() -> {
            paused = false;
            pauses--;
        });
    }

    /** A container that is taken has been forced: if it takes no more, it is closed. */
    void settle(OpenContainer container) throws IOException {
        boolean[] ends = {false};
        change(() -> ends[0] = container.retired || !container.canGrow());
        try {
            if (ends[0]) {
                container.close();
            }
        } finally {
            change(() -> {
                if (ends[0]) {
                    open.remove(container.number());
                    closedEnd = closedEnd.compareTo(container.end()) < 0 ? container.end() : closedEnd;
                }
            });
            giveBack(container);
        }
    }

    /** From now on every call fails. */
    void fail(IOException error) {
        failure = error;
    }

    void checkUsable() throws IOException {
        IOException earlier = failure;
        if (earlier != null) {
            throw new IOException(
                    "containers can't be written since an earlier error; look after the disk and restart the agent: "
                            + earlier.getMessage(),
                    earlier);
        }
    }

    @Override
    public void close() throws IOException {
        for (OpenContainer container : List.copyOf(open.values())) {
            container.close();
        }
    }
}
