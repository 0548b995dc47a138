// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import com.google.common.primitives.Bytes;
import io.shredder.backup.schedule.StateBytes;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The days of one image, a record each, in a file of its own. The newest record alone is in memory, so that years of
 * many images take little. Guarded by its {@link DaemonHistory}.
 */
final class ImageDays {

    /** Ten years; one more are kept until the oldest go together. */
    static final int MOST_DAYS = 3653;

    static final int YEAR = 366;
    static final String END = ".days";

    private static final Logger LOG = LoggerFactory.getLogger(ImageDays.class);
    private static final byte[] MAGIC = "SHRDDAYS".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;

    /** Disks that were last backed up so long before others of their machine are its disks no more. */
    private static final Duration ONE_BACKUP = Duration.ofDays(1);

    private final Path file;
    private int count;
    private Optional<ImageDay> last = Optional.empty();

    private ImageDays(Path file) {
        this.file = file;
    }

    /** A file of this image in a folder, made with its first day. */
    static ImageDays of(Path folder, SnapshotName image) {
        return new ImageDays(fileOf(folder, image));
    }

    /** The images of a machine's last backup; before the first, the machine's own name. */
    static List<String> ofMachine(Map<String, ImageDays> all, String machine) {
        Map<String, ImageDay> known = new TreeMap<>();
        all.forEach((image, days) -> {
            if (image.startsWith(machine + ".")) {
                days.last().ifPresent(day -> known.put(image, day));
            }
        });
        Instant newest = known.values().stream()
                .map(ImageDay::lastEnd)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
        List<String> present = known.entrySet().stream()
                .filter(each -> !each.getValue().lastEnd().isBefore(newest.minus(ONE_BACKUP)))
                .map(Map.Entry::getKey)
                .toList();
        return present.isEmpty() ? List.of(machine) : present;
    }

    static Path fileOf(Path folder, SnapshotName image) {
        return folder.resolve(image.value() + END);
    }

    /** A file with these records. */
    static byte[] content(byte[] records) {
        return Bytes.concat(header().array(), records);
    }

    /**
     * Opens one. A last record that was not written to its end is cut off: the journal has what it said.
     *
     * @throws IOException if it is no such file or of another version, naming it
     */
    static ImageDays open(Path file) throws IOException {
        ImageDays days = new ImageDays(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.size() < 2L * ImageDay.BYTES) {
                channel.truncate(0); // It was being made: the journal has what its first day said.
                return days;
            }
            ByteBuffer header = ByteBuffer.allocate(ImageDay.BYTES);
            readFully(channel, header, 0);
            if (!header.equals(header())) {
                throw new IOException(file + " is damaged at offset 0, or of another version: move it away, and this"
                        + " image's history begins anew");
            }
            int records = (int) (channel.size() / ImageDay.BYTES) - 1;
            ByteBuffer record = ByteBuffer.allocate(ImageDay.BYTES);
            Optional<ImageDay> newest = Optional.empty();
            while (records > 0 && newest.isEmpty()) {
                readFully(channel, record.clear(), (long) records * ImageDay.BYTES);
                newest = ImageDay.read(record);
                records -= newest.isPresent() ? 0 : 1;
            }
            long sound = (records + 1L) * ImageDay.BYTES;
            if (channel.size() > sound) {
                LOG.warn("{}: what is behind offset {} was not written to its end and is cut off", file, sound);
                channel.truncate(sound);
            }
            days.count = records;
            days.last = newest;
        }
        return days;
    }

    private static void readFully(FileChannel channel, ByteBuffer into, long offset) throws IOException {
        while (into.hasRemaining() && channel.read(into, offset + into.position()) >= 0) {
            // What is missing stays 0, which no checksum allows.
        }
        into.rewind();
    }

    private static ByteBuffer header() {
        ByteBuffer header = ByteBuffer.allocate(ImageDay.BYTES).put(MAGIC).putInt(VERSION);
        CRC32C crc = new CRC32C();
        crc.update(header.array(), 0, ImageDay.BYTES - Integer.BYTES);
        return header.putInt(ImageDay.BYTES - Integer.BYTES, (int) crc.getValue())
                .rewind();
    }

    /** The newest day that has an outcome. */
    Optional<ImageDay> last() {
        return last;
    }

    /** Takes an outcome, durably; one that is in it already changes nothing. */
    void add(long number, BackupOutcome outcome) throws IOException {
        if (last.isPresent() && number <= last.get().number()) {
            return;
        }
        LocalDate day = LocalDate.ofInstant(outcome.end(), ZoneOffset.UTC);
        boolean sameDay = last.isPresent() && !day.isAfter(last.get().day()); // Clocks are set back.
        ImageDay next = (sameDay ? last.get() : ImageDay.begin(day, last)).with(number, outcome);
        if (count >= MOST_DAYS + YEAR && !sameDay) {
            dropOldest();
        }
        int place = sameDay ? count : count + 1;
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.size() == 0) {
                writeFully(channel, header(), 0);
            }
            writeFully(channel, next.bytes(), (long) place * ImageDay.BYTES);
            channel.force(false);
        }
        count = place;
        last = Optional.of(next);
    }

    private static void writeFully(FileChannel channel, ByteBuffer from, long offset) throws IOException {
        while (from.hasRemaining()) {
            channel.write(from, offset + from.position());
        }
    }

    private void dropOldest() throws IOException {
        byte[] all = Files.readAllBytes(file);
        int end = (count + 1) * ImageDay.BYTES;
        StateBytes.replace(file, content(Arrays.copyOfRange(all, end - MOST_DAYS * ImageDay.BYTES, end)));
        count = MOST_DAYS;
    }

    /** Days of a time, in their order; those whose record is damaged are left out and named. */
    Days read(LocalDate from, LocalDate to) throws IOException {
        List<ImageDay> found = new ArrayList<>();
        List<String> damage = new ArrayList<>();
        ByteBuffer all = ByteBuffer.allocate(count * ImageDay.BYTES);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            readFully(channel, all, ImageDay.BYTES);
        }
        while (all.hasRemaining()) {
            int offset = ImageDay.BYTES + all.position();
            Optional<ImageDay> day = ImageDay.read(all);
            if (day.isEmpty()) {
                damage.add(file + " is damaged at offset " + offset + ": that day is not shown");
            }
            day.filter(each -> !each.day().isBefore(from) && !each.day().isAfter(to))
                    .ifPresent(found::add);
        }
        return new Days(found, damage);
    }

    /**
     * What a file says of some time.
     *
     * @param damage of the file, a line each
     */
    record Days(List<ImageDay> days, List<String> damage) {}
}
