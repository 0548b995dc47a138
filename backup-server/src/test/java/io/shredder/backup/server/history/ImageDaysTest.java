// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.snapshot.SnapshotName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageDaysTest {

    private static final Instant FIRST = Instant.parse("2026-01-01T02:00:00Z");

    @TempDir
    private Path folder;

    private static BackupOutcome outcome(Instant end, boolean ok) {
        return new BackupOutcome("vm", end, ok, ok, ok ? 1000 : 0, ok ? 100 : 0, ok ? 40 : 0, ok ? 50 : 0, 7);
    }

    private static Instant day(int after) {
        return FIRST.plus(after, ChronoUnit.DAYS);
    }

    private Path file() {
        return folder.resolve("vm.days");
    }

    private ImageDays fresh() {
        return ImageDays.of(folder, new SnapshotName("vm"));
    }

    private static List<ImageDay> all(ImageDays days) throws IOException {
        return days.read(LocalDate.EPOCH, LocalDate.parse("2100-01-01")).days();
    }

    @Test
    void backupsOfADaySumUpAndWhatLastsIsCarriedOn() throws IOException {
        ImageDays days = fresh();
        days.add(1, outcome(day(0), true));
        days.add(2, outcome(day(0).plusSeconds(60), true));
        days.add(3, outcome(day(2), false));
        days.add(3, outcome(day(2), false)); // Replayed.
        for (ImageDays each : List.of(days, ImageDays.open(file()))) {
            assertThat(all(each))
                    .containsExactly(
                            new ImageDay(
                                    LocalDate.parse("2026-01-01"),
                                    2,
                                    0,
                                    2,
                                    day(0).plusSeconds(60),
                                    true,
                                    Optional.of(day(0).plusSeconds(60)),
                                    1000,
                                    200,
                                    80,
                                    100,
                                    14,
                                    80),
                            new ImageDay(
                                    LocalDate.parse("2026-01-03"),
                                    0,
                                    1,
                                    3,
                                    day(2),
                                    false,
                                    Optional.of(day(0).plusSeconds(60)),
                                    1000,
                                    0,
                                    0,
                                    0,
                                    7,
                                    80));
            assertThat(each.last()).hasValue(all(each).get(1));
        }
    }

    @Test
    void itsBytesAreThoseOfTheDocument() throws IOException {
        ImageDays days = fresh();
        days.add(9, outcome(day(0), true));
        byte[] bytes = Files.readAllBytes(file());
        assertThat(bytes).hasSize(256);
        assertThat(HexFormat.of().formatHex(bytes, 0, 16)).isEqualTo("53485244444159530000000100000000");
        assertThat(HexFormat.of().formatHex(bytes, 128, 128 + 48))
                .isEqualTo("00004fe6" + "0001" + "0000" + "0000000000000009" + "0000019b77488500" + "0000019b77488500"
                        + "0000000000000001" + "00000000000003e8");
    }

    @Test
    void anOutcomeOfBeforeCountsInTheNewestDay() throws IOException {
        ImageDays days = fresh();
        days.add(1, outcome(day(5), true));
        days.add(2, outcome(day(3), false));
        assertThat(all(days)).singleElement().satisfies(day -> {
            assertThat(day.day()).isEqualTo(LocalDate.parse("2026-01-06"));
            assertThat(day.failed()).isOne();
        });
    }

    @Test
    void whereverALossOfPowerTearsTheLastDayItCountsAnew() throws IOException {
        ImageDays days = fresh();
        days.add(1, outcome(day(0), true));
        days.add(2, outcome(day(1), true));
        byte[] whole = Files.readAllBytes(file());
        for (int length = 0; length <= whole.length; length++) {
            Files.write(file(), Arrays.copyOf(whole, length));
            ImageDays opened = ImageDays.open(file());
            opened.add(1, outcome(day(0), true));
            opened.add(2, outcome(day(1), true));
            assertThat(Files.readAllBytes(file())).as("torn at %s", length).isEqualTo(whole);
        }
    }

    @Test
    void damageIsNamedAndNeverShown() throws IOException {
        ImageDays days = fresh();
        for (int i = 0; i < 3; i++) {
            days.add(i + 1, outcome(day(i), true));
        }
        byte[] whole = Files.readAllBytes(file());
        for (int bit = 128 * 8; bit < 256 * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file(), flipped);
            ImageDays.Days read = ImageDays.open(file()).read(LocalDate.EPOCH, LocalDate.parse("2100-01-01"));
            assertThat(read.days()).hasSize(2);
            assertThat(read.damage()).singleElement().asString().contains(file() + " is damaged at offset 128");
        }
        for (int bit = 0; bit < 128 * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file(), flipped);
            assertThatThrownBy(() -> ImageDays.open(file())).hasMessageContaining(file() + " is damaged at offset 0");
        }
    }

    @Test
    void tenYearsStayOfEleven() throws IOException {
        int before = ImageDays.MOST_DAYS + ImageDays.YEAR;
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        Optional<ImageDay> last = Optional.empty();
        for (int i = 0; i < before; i++) {
            last = Optional.of(ImageDay.begin(LocalDate.parse("2026-01-01").plusDays(i), last)
                    .with(i + 1, outcome(day(i), true)));
            records.write(last.get().bytes().array());
        }
        Files.write(file(), ImageDays.content(records.toByteArray()));
        ImageDays days = ImageDays.open(file());
        for (int i = before; i < before + 5; i++) {
            days.add(i + 1, outcome(day(i), true));
        }
        List<ImageDay> kept = all(ImageDays.open(file()));
        assertThat(kept).hasSize(ImageDays.MOST_DAYS + 5).isEqualTo(all(days));
        assertThat(kept.get(kept.size() - 1).number()).isEqualTo(before + 5);
        assertThat(kept.get(kept.size() - 1).storedEver()).isEqualTo(40L * (before + 5));
    }
}
