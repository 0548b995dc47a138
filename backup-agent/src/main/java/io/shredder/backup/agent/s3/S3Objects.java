// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ObjectLockRetention;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** What a store asks of its bucket, by names below its prefix. Safe for any number of threads. */
final class S3Objects implements Closeable {

    /** Longer files come in parts. An object store takes five times as much in one. */
    static final long SINGLE_BYTES = 1L << 30;

    static final AwsRequestOverrideConfiguration CHANGES = AwsRequestOverrideConfiguration.builder()
            .putExecutionAttribute(RequestWatch.CHANGES, true)
            .build();
    private static final AwsRequestOverrideConfiguration OWNS = AwsRequestOverrideConfiguration.builder()
            .putExecutionAttribute(RequestWatch.CHANGES, false)
            .build();

    private static final int ATTEMPTS = 6;
    private static final long FIRST_PAUSE_MS = 100;

    private final S3Place place;
    private final S3Connection connection;
    private final S3Client client;
    private final RequestWatch watch = new RequestWatch();
    private final Optional<Retention> retention;
    private final MultipartPut parts;
    private final long singleBytes;

    /**
     * Connects; nothing is asked yet.
     *
     * @param singleBytes of what is sent in one request at most
     */
    S3Objects(S3Place place, S3Settings settings, long singleBytes) throws IOException {
        this.place = place;
        this.singleBytes = singleBytes;
        this.retention = settings.retention();
        this.connection = S3Connection.open(settings, watch);
        this.client = connection.client();
        this.parts = new MultipartPut(place, client, retention);
    }

    S3Place place() {
        return place;
    }

    /** Which object store it is, for messages. */
    String storeName() {
        return client.serviceClientConfiguration()
                .endpointOverride()
                .map(endpoint -> "the object store at " + endpoint)
                .orElse("Amazon's object store");
    }

    S3Client client() {
        return client;
    }

    RequestWatch watch() {
        return watch;
    }

    Optional<Retention> retention() {
        return retention;
    }

    <T> T ask(String what, String name, S3Errors.Asking<T> asking) throws IOException {
        return S3Errors.translated(place, what, name, asking);
    }

    /** How an object is; empty if it isn't there. */
    Optional<StoredObject> head(String name) throws IOException {
        try {
            HeadObjectResponse found = ask(
                    "looking at",
                    name,
                    () -> client.headObject(head -> head.bucket(place.bucket()).key(place.key(name))));
            return Optional.of(
                    StoredObject.of(found.contentLength(), found.eTag(), found.lastModified(), found.metadata()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** All objects, by name. */
    Map<String, StoredObject> list() throws IOException {
        ListObjectsV2Request all = ListObjectsV2Request.builder()
                .bucket(place.bucket())
                .prefix(place.key(""))
                .build();
        Map<String, StoredObject> found = new TreeMap<>();
        ask("listing", "all objects", () -> {
            for (S3Object object : client.listObjectsV2Paginator(all).contents()) {
                String name = place.name(object.key());
                if (!name.isEmpty() && !name.endsWith("/")) {
                    found.put(name, new StoredObject(object.size(), object.eTag(), object.lastModified(), "", ""));
                }
            }
            return found;
        });
        return found;
    }

    /** A small object's bytes. */
    record Whole(StoredObject object, ByteBuffer bytes) {}

    /** A small object; empty if it isn't there. */
    Optional<Whole> whole(String name) throws IOException {
        IOException problem = new IOException(name);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return Optional.of(ask("reading", name, () -> wholeOnce(name)));
            } catch (NoSuchFileException e) {
                return Optional.empty();
            } catch (BrokenOffException e) {
                problem = e;
                pause(attempt);
            }
        }
        throw problem;
    }

    private Whole wholeOnce(String name) throws IOException {
        try (ResponseInputStream<GetObjectResponse> in = client.getObject(
                get -> get.bucket(place.bucket()).key(place.key(name)), ResponseTransformer.toInputStream())) {
            GetObjectResponse answer = in.response();
            byte[] bytes = readAll(name, in);
            if (bytes.length != answer.contentLength()) {
                throw new BrokenOffException(name, bytes.length, "the answer ends too soon");
            }
            return new Whole(
                    StoredObject.of(bytes.length, answer.eTag(), answer.lastModified(), answer.metadata()),
                    ByteBuffer.wrap(bytes));
        }
    }

    private static byte[] readAll(String name, ResponseInputStream<GetObjectResponse> in) throws IOException {
        try {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new BrokenOffException(name, 0, e.getMessage());
        }
    }

    /** An answer that ended before all of it was there. */
    private static final class BrokenOffException extends IOException {
        private static final long serialVersionUID = 1L;

        BrokenOffException(String name, long at, @Nullable String problem) {
            super(name + ", reading at " + at + ": " + problem);
        }
    }

    /** Reads a part that is there, going on where an answer broke off. */
    void read(String name, ByteBuffer target, long position) throws IOException {
        int from = target.position();
        int failed = 0;
        while (target.hasRemaining()) {
            int before = target.position();
            try {
                ask("reading", name, () -> readSome(name, target, position + target.position() - from));
            } catch (BrokenOffException e) {
                failed = target.position() > before ? 1 : failed + 1;
                if (failed == ATTEMPTS) {
                    throw e;
                }
                pause(failed - 1);
            }
        }
    }

    private int readSome(String name, ByteBuffer target, long at) throws IOException {
        int wanted = target.remaining();
        String range = "bytes=" + at + "-" + (at + wanted - 1);
        try (ResponseInputStream<GetObjectResponse> in = client.getObject(
                get -> get.bucket(place.bucket()).key(place.key(name)).range(range),
                ResponseTransformer.toInputStream())) {
            if (in.response().contentLength() != wanted) {
                in.abort();
                throw new IOException(name + ": the object store sends "
                        + in.response().contentLength() + " bytes where " + wanted + " at " + at + " were asked for");
            }
            fill(name, in, target, at);
            return wanted;
        }
    }

    private static void fill(String name, ResponseInputStream<GetObjectResponse> in, ByteBuffer target, long at)
            throws IOException {
        byte[] copy = target.hasArray() ? target.array() : new byte[Math.min(1 << 16, target.remaining())];
        int start = target.position();
        while (target.hasRemaining()) {
            int to = target.hasArray() ? target.arrayOffset() + target.position() : 0;
            int room = target.hasArray() ? target.remaining() : Math.min(copy.length, target.remaining());
            int count;
            try {
                count = in.read(copy, to, room);
            } catch (IOException e) {
                in.abort();
                throw new BrokenOffException(name, at + target.position() - start, e.getMessage());
            }
            if (count < 0) {
                throw new BrokenOffException(name, at + target.position() - start, "the answer ends too soon");
            }
            if (target.hasArray()) {
                target.position(target.position() + count);
            } else {
                target.put(copy, 0, count);
            }
        }
    }

    /**
     * Puts an object, unless it has changed.
     *
     * @param session whose hold of the store this is
     * @param before what is there; empty if nothing must be
     * @param fenced whether the fence is asked first, and retention given
     * @return empty if something else is there, as far as the answer tells: it may be this, sent before
     */
    Optional<StoredObject> put(
            String name, PutContent content, UUID session, Optional<StoredObject> before, boolean fenced)
            throws IOException {
        try {
            return Optional.of(ask(
                    "writing",
                    name,
                    () -> fenced && content.bytes() > singleBytes
                            ? parts.put(name, content, session, before)
                            : putWhole(name, content, session, before, fenced)));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // It was to be replaced and is gone, or its parts are put together already.
        } catch (IOException e) {
            if (isOfCondition(e.getCause())) {
                return Optional.empty();
            }
            if (mayHaveHappened(e.getCause())) {
                Optional<StoredObject> there = head(name);
                if (there.filter(object -> object.isOf(session) && object.has(content))
                        .isPresent()) {
                    return there;
                }
                // An object store that says no before it has read all may close the connection, and nobody hears it.
                if (!there.map(StoredObject::etag).equals(before.map(StoredObject::etag))) {
                    return Optional.empty();
                }
            }
            throw e;
        }
    }

    /** Whether an object is refused for the condition that {@code before} makes; else it is put. */
    boolean refuses(String name, PutContent content, UUID session, Optional<StoredObject> before) throws IOException {
        try {
            ask("writing", name, () -> putWhole(name, content, session, before, false));
            return false;
        } catch (IOException e) {
            if (isOfCondition(e.getCause())) {
                return true;
            }
            throw e;
        }
    }

    private static boolean mayHaveHappened(@Nullable Throwable cause) {
        return cause instanceof SdkClientException
                || (cause instanceof S3Exception refused && refused.statusCode() >= 500);
    }

    private static boolean isOfCondition(@Nullable Throwable cause) {
        return cause instanceof S3Exception refused
                && (refused.statusCode() == S3Errors.CONDITION_FAILED || refused.statusCode() == S3Errors.CONFLICT);
    }

    private StoredObject putWhole(
            String name, PutContent content, UUID session, Optional<StoredObject> before, boolean fenced) {
        PutObjectRequest.Builder put = PutObjectRequest.builder()
                .bucket(place.bucket())
                .key(place.key(name))
                .metadata(StoredObject.metadata(session, content))
                .checksumCRC32C(content.crc32c())
                .overrideConfiguration(fenced ? CHANGES : OWNS);
        if (before.isPresent()) {
            put.ifMatch(before.get().etag());
        } else {
            put.ifNoneMatch("*");
        }
        if (fenced) {
            retention.ifPresent(lock -> put.objectLockMode(lock.mode().name()).objectLockRetainUntilDate(until(lock)));
        }
        PutObjectResponse answer = client.putObject(put.build(), content.body());
        return new StoredObject(content.bytes(), answer.eTag(), Instant.now(), session.toString(), content.crc32c());
    }

    /** By this machine's clock; to seconds, as object stores keep it. */
    static Instant until(Retention lock) {
        return Instant.ofEpochSecond(Instant.now().plus(lock.time()).getEpochSecond());
    }

    /** Takes an object away by a request that nobody obeys who gets it late. */
    void delete(String name) throws IOException {
        try {
            ask("deleting", name, () -> connection.deletions().deleteObject(delete -> delete.bucket(place.bucket())
                    .key(place.key(name))
                    .overrideConfiguration(CHANGES)));
        } catch (NoSuchFileException e) {
            return; // Whoever took it did what was asked for.
        } catch (IOException e) {
            if (e.getCause() instanceof S3Exception refused && refused.statusCode() == S3Errors.FORBIDDEN) {
                throw new IOException(e.getMessage() + ", or it came too late to be obeyed: then try again", refused);
            }
            throw e;
        }
    }

    /** Has the object store refuse to delete it for as long as one that is written now. */
    void protect(String name, Retention lock) throws IOException {
        Instant until = until(lock);
        try {
            ask(
                    "protecting",
                    name,
                    () -> client.putObjectRetention(put -> put.bucket(place.bucket())
                            .key(place.key(name))
                            .retention(kept -> kept.mode(lock.mode().name()).retainUntilDate(until))
                            .overrideConfiguration(CHANGES)));
        } catch (NoSuchFileException e) {
            return; // It was deleted meanwhile.
        } catch (IOException e) {
            if (!(e.getCause() instanceof S3Exception) || protectedUntil(name).isBefore(until)) {
                throw e;
            }
            // It was protected for longer already, when retention was longer.
        }
    }

    private Instant protectedUntil(String name) throws IOException {
        ObjectLockRetention kept = ask("asking for the lock of", name, () -> client.getObjectRetention(
                        get -> get.bucket(place.bucket()).key(place.key(name)))
                .retention());
        return kept == null || kept.retainUntilDate() == null ? Instant.MIN : kept.retainUntilDate();
    }

    /** Takes away what is left of objects that came in parts and never became whole; nobody else may be writing. */
    void clearParts() throws IOException {
        parts.clear();
    }

    /** Waits before another attempt. */
    static void pause(int failed) throws IOException {
        try {
            Thread.sleep(FIRST_PAUSE_MS << Math.min(failed, 6));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the object store", e);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
