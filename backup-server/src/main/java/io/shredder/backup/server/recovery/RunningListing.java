// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.guest.FileFacts;
import io.shredder.backup.server.guest.FileListener;
import io.shredder.backup.server.guest.FileReaderProcess;
import io.shredder.backup.server.guest.GuestPath;
import io.shredder.backup.server.guest.PlainText;
import io.shredder.backup.server.guest.ReaderBytes;
import io.shredder.backup.server.guest.ReaderProgram;
import io.shredder.backup.server.guest.VolumeFacts;
import io.shredder.backup.server.reader.SnapshotReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** One listing of a snapshot's files, in a thread of its own; how it stands may be asked from any thread. */
final class RunningListing implements WorkList.Work {

    /** A hostile image fills no heap, and no answer. */
    private static final int MOST_FILES = 5_000;

    private static final int MOST_CHARS = 1_000_000;
    private static final int MOST_CHARS_EACH = 10_000;
    private static final int MOST_VOLUMES = 100;

    private static final int MOST_PROBLEMS = 10;

    private final long number;
    private final ListingOrder order;
    private final CareSite site;
    private final Duration longest;
    private final ScheduledExecutorService limiting;
    private final Thread thread;

    private final List<VolumeFacts> volumes = new ArrayList<>();
    private final List<FileFacts> files = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private Optional<String> error = Optional.empty();
    private boolean ended;
    private boolean late;
    private boolean stopping;
    private Optional<FileReaderProcess> process = Optional.empty();

    /** @param limiting cuts off what takes longer */
    RunningListing(
            long number, ListingOrder order, CareSite site, Duration longest, ScheduledExecutorService limiting) {
        this.number = number;
        this.order = order;
        this.site = site;
        this.longest = longest;
        this.limiting = limiting;
        this.thread = new Thread(this::run, "files-list-" + number);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        Optional<String> problem = Optional.of("it ended for a reason that the daemon's log has");
        try {
            list();
            problem = Optional.empty();
        } catch (IOException | RuntimeException e) {
            problem = Optional.of(CommandErrors.describe(e));
        } finally {
            end(problem);
        }
    }

    private void list() throws IOException {
        ReaderProgram program = ReaderProgram.find(Optional.empty(), true);
        try (SnapshotReader snapshot = OpenSnapshots.open(site, order.image(), order.snapshot());
                FileReaderProcess reader = FileReaderProcess.start(program, new ReaderBytes(snapshot))) {
            begins(reader);
            Future<?> end = limiting.schedule(() -> cutOff(reader), longest.toMillis(), TimeUnit.MILLISECONDS);
            try {
                list(reader);
            } finally {
                end.cancel(false);
            }
        }
    }

    private void list(FileReaderProcess reader) throws IOException {
        List<VolumeFacts> found = new ArrayList<>();
        reader.volumes(
                volume -> {
                    if (found.size() < MOST_VOLUMES && volume.toString().length() < MOST_CHARS_EACH) {
                        found.add(volume);
                    }
                },
                this::addProblem);
        if (order.path().isEmpty()) {
            synchronized (this) {
                volumes.addAll(found);
            }
            return;
        }
        GuestPath wanted = GuestPath.of(Optional.empty(), order.path().get(), found);
        found.stream()
                .filter(each -> each.name().equals(wanted.volume()) && each.unclean())
                .forEach(each -> addProblem(each.name() + " was not unmounted cleanly, and its journal is not replayed"
                        + " here: what changed in the last seconds may be missing or old"));
        reader.list(wanted.volume(), wanted.path(), false, new Taker());
    }

    private synchronized void begins(FileReaderProcess started) throws IOException {
        if (stopping) {
            throw new IOException("the daemon is about to end");
        }
        process = Optional.of(started);
    }

    private synchronized void addProblem(String line) {
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(PlainText.of(line));
        }
    }

    /** Takes what is found. */
    private final class Taker implements FileListener {

        private int chars;

        @Override
        public void found(FileFacts facts) throws IOException {
            int length = facts.path().length() + facts.target().orElse("").length();
            chars += length;
            if (length > MOST_CHARS_EACH) {
                addProblem("a file is left out, whose name or target has " + length + " characters");
                return;
            }
            synchronized (RunningListing.this) {
                if (files.size() >= MOST_FILES || chars > MOST_CHARS) {
                    throw new IOException("there are more files than the first " + files.size()
                            + ": list fewer, as /var/log/a*, or by 'shredder-backup files'");
                }
                files.add(facts);
            }
        }

        @Override
        public void bytes(ByteBuffer piece) throws IOException {
            throw new IOException("the reader of files sent bytes of a file that is only listed");
        }

        @Override
        public void failed(String path, String why) {
            addProblem(path.isEmpty() ? why : path + ": " + why);
        }
    }

    private void cutOff(FileReaderProcess reader) {
        synchronized (this) {
            late = true;
        }
        reader.close();
    }

    private synchronized void end(Optional<String> problem) {
        error = late && problem.isPresent()
                ? Optional.of("it took longer than " + longest.toSeconds() + " s: 'shredder-backup files' has no limit")
                : problem;
        ended = true;
    }

    /** Has it end. */
    synchronized void stop() {
        stopping = true;
        thread.interrupt();
        process.ifPresent(FileReaderProcess::close);
    }

    @Override
    public synchronized boolean runs() {
        return !ended;
    }

    synchronized ListingStatus status() {
        return new ListingStatus(number, order, ended, volumes, files, problems, error);
    }
}
