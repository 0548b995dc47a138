// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.posix;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd how this service is, by the protocol of sd_notify(3): datagrams to the socket that the environment
 * names. Where nobody wants to be told, nothing happens. Any thread may call; a message that can't be sent is logged
 * once and lost, since the service itself is well.
 */
public final class SystemdNotices implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SystemdNotices.class);

    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    /** Never waits for a reader, never raises SIGPIPE. */
    private static final int MSG_DONTWAIT_NOSIGNAL = 0x40 | 0x4000;

    private static final int MOST_PATH_BYTES = 107;

    /** Functions of the C library, by their own names. */
    private static final class C {

        static {
            Native.register(C.class, "c");
        }

        private C() {}

        static native int socket(int domain, int type, int protocol);

        static native long sendto(
                int socket, byte[] message, long length, int flags, byte[] address, int addressLength);

        static native int close(int socket);
    }

    private final byte @Nullable [] address;
    private final Optional<Duration> watchdog;
    private @Nullable Thread heart;
    private boolean failed;

    private SystemdNotices(byte @Nullable [] address, Optional<Duration> watchdog) {
        this.address = address;
        this.watchdog = watchdog;
    }

    /** Whoever started this process, as its environment says. */
    public static SystemdNotices ofThisProcess() {
        return of(System.getenv(), ProcessHandle.current().pid());
    }

    /** As if this environment were the process's. A watchdog that is meant for another process is none. */
    static SystemdNotices of(Map<String, String> environment, long pid) {
        String path = environment.getOrDefault("NOTIFY_SOCKET", "");
        boolean known = path.startsWith("/") || path.startsWith("@");
        if (!known || path.getBytes(StandardCharsets.UTF_8).length > MOST_PATH_BYTES) {
            return new SystemdNotices(null, Optional.empty());
        }
        Optional<Duration> watchdog = Optional.empty();
        String microseconds = environment.getOrDefault("WATCHDOG_USEC", "");
        String meant = environment.getOrDefault("WATCHDOG_PID", Long.toString(pid));
        if (microseconds.matches("[1-9][0-9]{0,17}") && meant.equals(Long.toString(pid))) {
            watchdog = Optional.of(Duration.ofNanos(Long.parseLong(microseconds) / 1000 * 1_000_000));
        }
        return new SystemdNotices(socketAddress(path), watchdog);
    }

    /** {@code struct sockaddr_un}: the family in this machine's order of bytes, and the path; {@code @} means NUL. */
    private static byte[] socketAddress(String path) {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        byte[] address = new byte[2 + name.length];
        address[0] = AF_UNIX;
        System.arraycopy(name, 0, address, 2, name.length);
        if (path.startsWith("@")) {
            address[2] = 0;
        }
        return address;
    }

    /**
     * The service does what it is for. From now on systemd hears of it twice in each of its watchdog's times, as long
     * as {@code isWell} says so; if that hangs, throws or says no, systemd ends the service and starts it again.
     */
    public synchronized void ready(String status, Check isWell) {
        send("READY=1\nSTATUS=" + oneLine(status));
        if (watchdog.isPresent() && heart == null) {
            heart = new Thread(() -> beat(watchdog.get().dividedBy(2), isWell), "watchdog");
            heart.setDaemon(true);
            heart.start();
        }
    }

    /** Whether a service can do its work: looked at from a thread of its own. */
    @FunctionalInterface
    public interface Check {
        /** Whether all is well. */
        boolean isWell() throws IOException, InterruptedException;
    }

    private void beat(Duration pause, Check isWell) {
        try {
            while (true) {
                if (isWell.isWell()) {
                    send("WATCHDOG=1");
                } else {
                    LOG.error("the service can't do its work: systemd's watchdog is not told that it is well");
                }
                Thread.sleep(Math.max(1, pause.toMillis()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            LOG.error("the service can't do its work, and systemd's watchdog is not told any more that it is well", e);
        }
    }

    /** It ends, cleanly. */
    @Override
    public synchronized void close() {
        if (heart != null) {
            heart.interrupt();
        }
        send("STOPPING=1");
    }

    private static String oneLine(String text) {
        return text.replace('\n', ' ');
    }

    private synchronized void send(String message) {
        if (address == null) {
            return;
        }
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        try {
            int socket = C.socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
            long sent = C.sendto(socket, bytes, bytes.length, MSG_DONTWAIT_NOSIGNAL, address, address.length);
            if (socket >= 0) {
                C.close(socket);
            }
            if (sent != bytes.length && !failed) {
                failed = true;
                LOG.warn(
                        "systemd could not be told {}: errno {}",
                        message.lines().findFirst().orElse(""),
                        lastError());
            }
        } catch (LinkageError e) {
            LOG.debug("systemd is not told how the service is: {}", e.toString());
        }
    }

    private static int lastError() {
        return Native.getLastError();
    }
}
