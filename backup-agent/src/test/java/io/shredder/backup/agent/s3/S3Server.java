// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.wire.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;

/**
 * An object store of its own on this machine: Versity's S3 gateway over a folder, as {@code tools/s3-server.sh} builds
 * it. Its keys are this process's, as system properties. Whoever starts it closes it.
 */
public final class S3Server implements Closeable {

    /** Says where the program is, if it isn't where the script leaves it. */
    public static final String VARIABLE = "SHREDDER_S3_SERVER";

    public static final String ACCESS = "shredder-tests";
    public static final String SECRET = "not-a-secret-of-anybody";
    private static final long START_MS = 30_000;
    private static final int ATTEMPTS = 5;

    /** A state in {@code /proc/net/tcp}. */
    private static final String LISTENING = "0A";

    private final Process process;
    private final int port;
    private final String scheme;
    private final AtomicInteger buckets = new AtomicInteger();

    private S3Server(Process process, int port, String scheme) {
        this.process = process;
        this.port = port;
        this.scheme = scheme;
    }

    /** The program, if it is there. */
    public static Optional<Path> program() {
        String named = System.getenv(VARIABLE);
        if (named != null) {
            return Optional.of(Path.of(named)).filter(Files::isExecutable);
        }
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path found = at.resolve(".tools/s3-server/versitygw");
            if (Files.isExecutable(found)) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    /**
     * Starts it on a free port.
     *
     * @param folder for what it keeps and says; on a disk with extended attributes
     */
    public static S3Server start(Path folder) throws IOException, InterruptedException {
        return start(folder, List.of(), "http");
    }

    /** The same, over TLS. */
    public static S3Server start(Path folder, TlsFiles tls) throws IOException, InterruptedException {
        return start(
                folder,
                List.of(
                        "--cert",
                        tls.certificate().toString(),
                        "--key",
                        tls.key().toString()),
                "https");
    }

    /** Another process may take the port that was free. */
    private static S3Server start(Path folder, List<String> options, String scheme)
            throws IOException, InterruptedException {
        for (int attempt = 1; true; attempt++) {
            try {
                return startOnce(folder, options, scheme);
            } catch (IOException e) {
                if (attempt == ATTEMPTS || !String.valueOf(e.getMessage()).contains("address already in use")) {
                    throw e;
                }
            }
        }
    }

    private static S3Server startOnce(Path folder, List<String> options, String scheme)
            throws IOException, InterruptedException {
        Path program = program().orElseThrow(() -> new IOException("no object store is here: run tools/s3-server.sh"));
        Path data = Files.createDirectories(folder.resolve("objects"));
        Path versions = Files.createDirectories(folder.resolve("versions"));
        int port = freePort();
        List<String> words = new ArrayList<>(List.of(program.toString(), "--port", "127.0.0.1:" + port, "--quiet"));
        words.addAll(options);
        words.addAll(List.of("posix", "--versioning-dir", versions.toString(), data.toString()));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put("ROOT_ACCESS_KEY", ACCESS);
        builder.environment().put("ROOT_SECRET_KEY", SECRET);
        Path log = folder.resolve("s3-server.log");
        Process process =
                builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        System.setProperty("aws.accessKeyId", ACCESS);
        System.setProperty("aws.secretAccessKey", SECRET);
        try {
            TrialRun.await("the object store, see " + log, START_MS, () -> {
                if (!process.isAlive()) {
                    throw new IOException("the object store ended: " + Files.readString(log));
                }
                return listens(process.pid(), port);
            });
        } catch (IOException | InterruptedException | AssertionError e) {
            process.destroyForcibly();
            throw e;
        }
        return new S3Server(process, port, scheme);
    }

    /** Whether that very process does, and not another one that was quicker. */
    private static boolean listens(long pid, int port) throws IOException {
        String local = String.format(Locale.ROOT, ":%04X", port);
        Set<String> sockets = new HashSet<>();
        for (String line : Files.readAllLines(Path.of("/proc/net/tcp"))) {
            String[] fields = line.strip().split(" +");
            if (fields[1].endsWith(local) && fields[3].equals(LISTENING)) {
                sockets.add("socket:[" + fields[9] + "]");
            }
        }
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (sockets.contains(Files.readSymbolicLink(file).toString())) {
                    return true;
                }
            }
        } catch (NoSuchFileException | UncheckedIOException e) {
            return false; // It has closed it, or has ended.
        }
        return false;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public int port() {
        return port;
    }

    public URI endpoint() {
        return URI.create(scheme + "://127.0.0.1:" + port);
    }

    /** To reach it. */
    public S3Settings settings() {
        return settings(endpoint());
    }

    /** To reach it by another way. */
    public static S3Settings settings(URI endpoint) {
        return new S3Settings(
                Optional.of(endpoint), Optional.empty(), false, Optional.empty(), false, Optional.empty());
    }

    /** To reach it by those whom this authority vouches for. */
    public S3Settings settings(Path authority) {
        return new S3Settings(
                Optional.of(endpoint()), Optional.empty(), false, Optional.of(authority), false, Optional.empty());
    }

    /** A client of somebody else's. */
    public S3Client client() throws IOException {
        return client(settings());
    }

    private static S3Client client(S3Settings settings) throws IOException {
        return S3Connection.open(settings, new RequestWatch()).client();
    }

    /** A new bucket. */
    public String bucket() throws IOException {
        return bucket(settings());
    }

    /** A new bucket. */
    public String bucket(S3Settings settings) throws IOException {
        String name = "bucket-" + buckets.incrementAndGet();
        try (S3Client client = client(settings)) {
            client.createBucket(bucket -> bucket.bucket(name));
        }
        return name;
    }

    /** A new bucket with versions and Object Lock. */
    public String lockedBucket() throws IOException {
        String name = "locked-" + buckets.incrementAndGet();
        try (S3Client client = client()) {
            client.createBucket(bucket -> bucket.bucket(name).objectLockEnabledForBucket(true));
            client.putBucketVersioning(versions ->
                    versions.bucket(name).versioningConfiguration(each -> each.status(BucketVersioningStatus.ENABLED)));
        }
        return name;
    }

    /** Options of a command that say where it is. */
    public List<String> options() {
        return List.of("--store-endpoint", endpoint().toString());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
