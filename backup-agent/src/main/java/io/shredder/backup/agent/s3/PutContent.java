// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import com.google.common.io.ByteStreams;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.zip.CRC32C;
import software.amazon.awssdk.core.sync.RequestBody;

/** Bytes that are put into an object, each time the same, however often they are sent. */
final class PutContent {

    private static final int COPY_BYTES = 1 << 17;
    private static final String TYPE = "application/octet-stream";

    private final Source source;
    private final long bytes;
    private final String crc32c;

    /** Where the bytes are. */
    private interface Source {
        InputStream open(long from) throws IOException;
    }

    private PutContent(Source source, long bytes) throws IOException {
        this.source = source;
        this.bytes = bytes;
        this.crc32c = crc32c(0, bytes);
    }

    private PutContent(Source source, long bytes, CRC32C crc) {
        this.source = source;
        this.bytes = bytes;
        this.crc32c = base64(crc);
    }

    /** Of memory that stays as it is. */
    static PutContent of(ByteBuffer memory) throws IOException {
        byte[] copy = new byte[memory.remaining()];
        memory.duplicate().get(copy);
        return new PutContent(
                from -> new ByteArrayInputStream(copy, Math.toIntExact(from), copy.length - Math.toIntExact(from)),
                copy.length);
    }

    /** Of the first bytes of a file, which stay as they are. */
    static PutContent of(Path file, long bytes) throws IOException {
        return new PutContent(from -> open(file, from), bytes);
    }

    /** The same, when they have been summed up already. */
    static PutContent of(Path file, long bytes, CRC32C crc) {
        return new PutContent(from -> open(file, from), bytes, crc);
    }

    /** Who sends it reads a few kilobytes at a time. */
    private static InputStream open(Path file, long from) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), COPY_BYTES);
        try {
            in.skipNBytes(from);
            return in;
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    long bytes() {
        return bytes;
    }

    /** As object stores want it: in Base64. */
    String crc32c() {
        return crc32c;
    }

    /** The same of a part. */
    String crc32c(long from, long length) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[COPY_BYTES];
        try (InputStream in = ByteStreams.limit(source.open(from), length)) {
            long left = length;
            while (left > 0) {
                int count = in.read(buffer);
                if (count < 0) {
                    throw new IOException("what is to be sent ends " + left + " bytes too soon");
                }
                crc.update(buffer, 0, count);
                left -= count;
            }
        }
        return base64(crc);
    }

    private static String base64(CRC32C crc) {
        return Base64.getEncoder()
                .encodeToString(
                        ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
    }

    /** To be sent. */
    RequestBody body() {
        return body(0, bytes);
    }

    /** A part to be sent. */
    RequestBody body(long from, long length) {
        return RequestBody.fromContentProvider(
                () -> {
                    try {
                        return ByteStreams.limit(source.open(from), length);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                length,
                TYPE);
    }
}
