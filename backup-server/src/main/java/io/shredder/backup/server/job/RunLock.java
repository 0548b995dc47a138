// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.command.CommandErrors;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a job, or care, from running twice at once: in the daemon and by {@code backup-server run}. Hooks of two runs
 * would cross. It is a lock on a file of the state folder, so that the kernel drops it with the process; where there
 * can be none, the job runs without. Thread-safe.
 */
public final class RunLock implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(RunLock.class);
    private static final long STEP_MS = 500;
    /** Those of this process: closing a file anew would drop its lock. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final Optional<FileChannel> channel;

    private RunLock(Path file, Optional<FileChannel> channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Begins a run.
     *
     * @param state the daemon's folder
     * @param name the job's, or the care's
     * @throws IOException if it runs already, naming the process
     */
    public static RunLock take(Path state, String name) throws IOException {
        Path file = file(state, name);
        return attempt(file)
                .orElseThrow(() -> new IOException("'" + name + "' is running, in process " + holder(file)
                        + ": wait for its end, or stop it at the console"));
    }

    /** The same, once whatever runs it has ended. */
    public static RunLock await(Path state, String name) throws InterruptedException {
        Path file = file(state, name);
        Optional<RunLock> taken = attempt(file);
        if (taken.isEmpty()) {
            LOG.warn("'{}' is running, in process {}: waits for its end", name, holder(file));
        }
        while (taken.isEmpty()) {
            Thread.sleep(STEP_MS);
            taken = attempt(file);
        }
        return taken.get();
    }

    private static Path file(Path state, String name) {
        return state.toAbsolutePath().resolve("run-" + name.replaceAll("[^\\w.-]", "_") + ".lock");
    }

    /** Empty if somebody else holds it. */
    private static Optional<RunLock> attempt(Path file) {
        if (!HELD.add(file)) {
            return Optional.empty();
        }
        Optional<FileChannel> channel;
        try {
            channel = Optional.of(open(file));
        } catch (IOException e) {
            LOG.warn("nothing keeps what is beginning from running twice at once: {}", CommandErrors.describe(e));
            return Optional.of(new RunLock(file, Optional.empty()));
        }
        try {
            if (channel.get().tryLock() != null) {
                say(channel.get());
                return Optional.of(new RunLock(file, channel));
            }
            channel.get().close();
        } catch (IOException e) {
            LOG.warn("nothing keeps what is beginning from running twice at once: {}", CommandErrors.describe(e));
            return Optional.of(new RunLock(file, channel));
        }
        HELD.remove(file);
        return Optional.empty();
    }

    private static FileChannel open(Path file) throws IOException {
        Path state = Files.createDirectories(file.getParent());
        FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        UserPrincipal daemon = Files.getOwner(state);
        if (!Files.getOwner(file).equals(daemon)) {
            Files.setOwner(file, daemon); // The superuser may run jobs before the daemon's user does.
        }
        return channel;
    }

    private static void say(FileChannel channel) throws IOException {
        String process = Long.toString(ProcessHandle.current().pid());
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(process.getBytes(StandardCharsets.UTF_8)));
    }

    private static String holder(Path file) {
        try {
            return HELD.contains(file) ? Long.toString(ProcessHandle.current().pid()) : Files.readString(file);
        } catch (IOException e) {
            return "unknown";
        }
    }

    @Override
    public void close() {
        try {
            if (channel.isPresent()) {
                channel.get().close();
            }
        } catch (IOException e) {
            LOG.debug("{} could not be closed", file, e);
        } finally {
            HELD.remove(file);
        }
    }
}
