// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What became of an image's backups on one day, in UTC; a record of {@code docs/formats/history.md}.
 *
 * @param day it is
 * @param succeeded how many backups made a snapshot and nothing was wrong
 * @param failed how many others
 * @param number of the last of them in the journal of runs
 * @param lastEnd when the last of them ended
 * @param lastOk whether that succeeded
 * @param lastSuccess when the last that succeeded ended, on this day or before; empty if none has
 * @param imageBytes length of the image at its last success; 0 before the first
 * @param newBytes of the day's backups: what the agent did not have
 * @param storedBytes the same, compressed
 * @param sentBytes the same, as it went out through sockets
 * @param milliseconds that the day's backups took
 * @param storedEver what has been stored for the image since its history began
 */
public record ImageDay(
        LocalDate day,
        int succeeded,
        int failed,
        long number,
        Instant lastEnd,
        boolean lastOk,
        Optional<Instant> lastSuccess,
        long imageBytes,
        long newBytes,
        long storedBytes,
        long sentBytes,
        long milliseconds,
        long storedEver) {

    /** Of a record. A sector holds whole ones, so that a loss of power tears none. */
    static final int BYTES = 128;

    private static final int CRC_AT = BYTES - Integer.BYTES;
    private static final int MOST_RUNS = 0xFFFF;

    /** The day's begin, with what days before it left. */
    static ImageDay begin(LocalDate day, Optional<ImageDay> before) {
        return new ImageDay(
                day,
                0,
                0,
                0,
                Instant.EPOCH,
                false,
                before.flatMap(ImageDay::lastSuccess),
                before.map(ImageDay::imageBytes).orElse(0L),
                0,
                0,
                0,
                0,
                before.map(ImageDay::storedEver).orElse(0L));
    }

    /** With one more outcome. */
    ImageDay with(long outcomeNumber, BackupOutcome outcome) {
        return new ImageDay(
                day,
                Math.min(MOST_RUNS, succeeded + (outcome.ok() ? 1 : 0)),
                Math.min(MOST_RUNS, failed + (outcome.ok() ? 0 : 1)),
                outcomeNumber,
                outcome.end(),
                outcome.ok(),
                outcome.ok() ? Optional.of(outcome.end()) : lastSuccess,
                outcome.hasSnapshot() ? outcome.imageBytes() : imageBytes,
                newBytes + outcome.newBytes(),
                storedBytes + outcome.storedBytes(),
                sentBytes + outcome.sentBytes(),
                milliseconds + outcome.milliseconds(),
                storedEver + outcome.storedBytes());
    }

    ByteBuffer bytes() {
        ByteBuffer record = ByteBuffer.allocate(BYTES)
                .putInt((int) day.toEpochDay())
                .putShort((short) succeeded)
                .putShort((short) failed)
                .putLong(number)
                .putLong(lastEnd.toEpochMilli())
                .putLong(lastSuccess.map(Instant::toEpochMilli).orElse(0L))
                .putLong(lastOk ? 1 : 0)
                .putLong(imageBytes)
                .putLong(newBytes)
                .putLong(storedBytes)
                .putLong(sentBytes)
                .putLong(milliseconds)
                .putLong(storedEver);
        return record.putInt(CRC_AT, crcOf(record)).rewind();
    }

    /** Reads one at the position, which moves behind it; empty if it has other bytes than were written. */
    static Optional<ImageDay> read(ByteBuffer from) {
        ByteBuffer record = from.slice(from.position(), BYTES);
        from.position(from.position() + BYTES);
        if (record.getInt(CRC_AT) != crcOf(record)) {
            return Optional.empty();
        }
        LocalDate day = LocalDate.ofEpochDay(record.getInt());
        int succeeded = record.getShort() & MOST_RUNS;
        int failed = record.getShort() & MOST_RUNS;
        long number = record.getLong();
        Instant lastEnd = Instant.ofEpochMilli(record.getLong());
        long success = record.getLong();
        boolean lastOk = record.getLong() == 1;
        return Optional.of(new ImageDay(
                day,
                succeeded,
                failed,
                number,
                lastEnd,
                lastOk,
                success == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(success)),
                record.getLong(),
                record.getLong(),
                record.getLong(),
                record.getLong(),
                record.getLong(),
                record.getLong()));
    }

    private static int crcOf(ByteBuffer record) {
        CRC32C crc = new CRC32C();
        crc.update(record.duplicate().position(0).limit(CRC_AT));
        return (int) crc.getValue();
    }
}
