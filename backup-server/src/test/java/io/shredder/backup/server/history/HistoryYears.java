// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Writes the history of years at once, as a daemon leaves it that backed many images up each night. */
public final class HistoryYears {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int JOURNAL_FILE_BYTES = 1 << 20;
    private static final long GIB = 1L << 30;
    private static final int ONE_FAILS_OF = 50;

    private final Path folder;
    private final String job;
    private final List<String> images;
    private final SplittableRandom random;

    /**
     * Of a state folder.
     *
     * @param job whose images they are
     */
    public HistoryYears(Path state, String job, List<String> images, long seed) {
        this.folder = state.resolve("history");
        this.job = job;
        this.images = List.copyOf(images);
        this.random = new SplittableRandom(seed);
    }

    /**
     * Writes it.
     *
     * @param days up to this one
     * @param journalDays how many of them the journal has
     */
    public void write(LocalDate last, int days, int journalDays) throws IOException {
        Files.createDirectories(folder.resolve("days"));
        try (Lines journal = new Lines()) {
            BackupOutcome[][] kept = new BackupOutcome[journalDays][images.size()];
            for (int image = 0; image < images.size(); image++) {
                ByteArrayOutputStream file = new ByteArrayOutputStream();
                Optional<ImageDay> before = Optional.empty();
                for (int day = 0; day < days; day++) {
                    LocalDate date = last.minusDays(days - 1L - day);
                    BackupOutcome outcome = outcome(image, date);
                    ImageDay next = ImageDay.begin(date, before).with(numberOf(day, image), outcome);
                    file.write(next.bytes().array());
                    before = Optional.of(next);
                    if (day >= days - journalDays) {
                        kept[day - days + journalDays][image] = outcome;
                    }
                }
                Files.write(
                        ImageDays.fileOf(folder.resolve("days"), new SnapshotName(images.get(image))),
                        ImageDays.content(file.toByteArray()));
            }
            for (int day = 0; day < journalDays; day++) {
                for (int image = 0; image < images.size(); image++) {
                    journal.add(numberOf(days - journalDays + day, image), kept[day][image]);
                }
            }
        }
    }

    private long numberOf(int day, int image) {
        return (long) day * images.size() + image + 1;
    }

    private BackupOutcome outcome(int image, LocalDate day) {
        boolean ok = random.nextInt(ONE_FAILS_OF) != 0;
        Instant end = day.atTime(2, 30).toInstant(ZoneOffset.UTC).plusSeconds(image);
        return ok
                ? new BackupOutcome(
                        images.get(image),
                        end,
                        true,
                        true,
                        20 * GIB + day.toEpochDay() * (1 << 20),
                        random.nextLong(GIB),
                        random.nextLong(GIB / 2),
                        random.nextLong(GIB / 2),
                        90_000)
                : new BackupOutcome(images.get(image), end, false, false, 0, 0, 0, 0, 4_000);
    }

    /** The journal's files. */
    private final class Lines implements AutoCloseable {

        private OutputStream out = OutputStream.nullOutputStream();
        private int left;

        private void add(long number, BackupOutcome outcome) throws IOException {
            if (left <= 0) {
                out.close();
                out = Files.newOutputStream(folder.resolve(String.format("runs-%016d.log", number)));
                left = JOURNAL_FILE_BYTES;
            }
            ObjectNode body = JSON.createObjectNode()
                    .put("what", "backup")
                    .put("at", outcome.end().toString())
                    .put("job", job);
            outcome.write(body);
            if (!outcome.ok()) {
                body.put("error", "image /srv/" + outcome.image() + " doesn't exist or can't be read");
            }
            byte[] line = new JournalLine(number, body).bytes();
            out.write(line);
            left -= line.length;
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
