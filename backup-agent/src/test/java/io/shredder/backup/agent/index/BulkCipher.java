// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

/** AES-256-GCM with one key, many messages in a call: what may seal an index in place of the CPU, to measure it. */
public interface BulkCipher {
    /**
     * Messages of one length. Plain ones lie back to back, and sealed ones do, each followed by its tag.
     *
     * @param sequence first 8 bytes of the first's nonce, counted up from there
     * @param part the nonce's other 4
     * @param clear authenticated with each
     * @param length of a plain one
     */
    record Messages(long sequence, int part, byte[] clear, int length, int count) {
        /** What all take. */
        public int plainBytes() {
            return length * count;
        }

        /** What all take with their tags. */
        public int sealedBytes() {
            return (length + Sealing.TAG_BYTES) * count;
        }
    }

    /** Seals what is at {@code plain[plainAt]} to {@code sealed[sealedAt]}. */
    void seal(Messages messages, byte[] plain, int plainAt, byte[] sealed, int sealedAt);

    /**
     * Opens what is at {@code sealed[sealedAt]} to {@code plain[plainAt]}.
     *
     * @return how many messages are as they were sealed, up to the first that isn't
     */
    int open(Messages messages, byte[] sealed, int sealedAt, byte[] plain, int plainAt);
}
