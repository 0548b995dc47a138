// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * An object as it is.
 *
 * @param bytes its length
 * @param etag tells one content from another
 * @param modified by the object store's clock
 * @param session whose hold of the store it was written in; empty if the list or whoever wrote it doesn't tell
 * @param crc32c of its bytes, as it was said with them; empty likewise
 */
record StoredObject(long bytes, String etag, Instant modified, String session, String crc32c) {

    private static final String SESSION = "shredder-session";
    private static final String CRC32C = "shredder-crc32c";
    private static final String WRITTEN = "shredder-written";

    /** By what was said with its bytes. */
    static StoredObject of(long bytes, String etag, Instant modified, Map<String, String> metadata) {
        return new StoredObject(
                bytes, etag, modified, metadata.getOrDefault(SESSION, ""), metadata.getOrDefault(CRC32C, ""));
    }

    /** What is to be said with the bytes. */
    static Map<String, String> metadata(UUID session, PutContent content) {
        return Map.of(
                SESSION,
                session.toString(),
                CRC32C,
                content.crc32c(),
                WRITTEN,
                String.valueOf(Instant.now().getEpochSecond()));
    }

    /** When its bytes were written, by what was said with them; empty if that isn't said. */
    static Optional<Instant> written(Map<String, String> metadata) {
        String seconds = metadata.getOrDefault(WRITTEN, "");
        return seconds.matches("[0-9]{1,11}")
                ? Optional.of(Instant.ofEpochSecond(Long.parseLong(seconds)))
                : Optional.empty();
    }

    /** In which hold of the store it was written, if that was said with its bytes. */
    Optional<UUID> hold() {
        try {
            return session.isEmpty() ? Optional.empty() : Optional.of(UUID.fromString(session));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether it was written in this hold of the store. */
    boolean isOf(UUID asked) {
        return session.equals(asked.toString());
    }

    /** Whether it has this content. */
    boolean has(PutContent content) {
        return bytes == content.bytes() && crc32c.equals(content.crc32c());
    }
}
