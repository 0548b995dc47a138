// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.file.CheckedText;
import io.shredder.backup.bytes.OtherVersionException;
import io.shredder.chunk.DamagedDataException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeeperIdentityTest {

    private static final Instant WHEN = Instant.parse("2026-11-26T09:00:00Z");
    private static final Dispersal DISPERSAL =
            new Dispersal(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), 4, 2);
    private static final String FIRST = "shredder-keeper 2\nstore 00112233-4455-6677-8899-aabbccddeeff\ndata 4\n"
            + "parity 2\nkeeper 3\nstate rebuilding\nreplaced 1 7 2026-11-26T09:00:00Z\n"
            + "replaced 3 9 2026-11-26T09:00:00Z\n";

    private static Replacements replacements() {
        return Replacements.NONE.with(3, new Replacements.Last(9, WHEN)).with(1, new Replacements.Last(7, WHEN));
    }

    @Test
    void whatIsWrittenIsRead() throws DamagedDataException {
        KeeperIdentity first = KeeperIdentity.first(DISPERSAL, 5);
        assertThat(new String(first.encoded(), StandardCharsets.US_ASCII)).startsWith("shredder-keeper 1\n");
        assertThat(KeeperIdentity.decoded("f", first.encoded())).isEqualTo(first);
        KeeperIdentity filling = new KeeperIdentity(DISPERSAL, 3, false, replacements());
        assertThat(filling.encoded()).isEqualTo(CheckedText.encoded(FIRST));
        assertThat(KeeperIdentity.decoded("f", filling.encoded())).isEqualTo(filling);
        assertThat(KeeperIdentity.decoded("f", filling.filled().encoded()).whole())
                .isTrue();
        assertThat(filling.since()).isEqualTo(9);
    }

    @Test
    void ofTwoThatKnowOfReplacementsOneCoversTheOtherUnlessTheyWereApart() {
        Replacements fewer = Replacements.NONE.with(1, new Replacements.Last(7, WHEN));
        assertThat(replacements().covers(fewer)).isTrue();
        assertThat(fewer.covers(replacements())).isFalse();
        Replacements apart = Replacements.NONE.with(0, new Replacements.Last(8, WHEN));
        assertThat(fewer.covers(apart) || apart.covers(fewer)).isFalse();
        assertThat(fewer.and(apart).places()).containsOnlyKeys(0, 1);
        assertThat(fewer.with(1, new Replacements.Last(10, WHEN)).and(fewer).epochOf(1))
                .isEqualTo(10);
    }

    /** A check that is right doesn't make sense of the rest. */
    @ParameterizedTest
    @CsvSource({
        "shredder-keeper 2, shredder-kept 2, 0",
        "keeper 3, keeper 6, 77",
        "keeper 3, keeper three, 77",
        "data 4, data 0, 68",
        "data 4, data 300, 70",
        "store 0, store x, 18",
        "rebuilding, rebuilt, 86",
        "replaced 1 7, replaced 1 0, 103",
        "replaced 1 7, replaced 4 7, 137",
        "replaced 3 9, replaced 6 9, 137",
        "replaced 3 9 2026-11-26, replaced 3 9 2026-13-26, 137",
        "replaced 3, replacement 3, 137"
    })
    void aLineThatMakesNoSenseIsNamedByItsOffset(String right, String wrong, long offset) {
        assertThat(FIRST).contains(right);
        byte[] bytes = CheckedText.encoded(FIRST.replace(right, wrong));
        assertThatThrownBy(() -> KeeperIdentity.decoded("k/keeper", bytes))
                .isInstanceOfSatisfying(
                        DamagedDataException.class, e -> assertThat(e.offset()).isEqualTo(offset))
                .hasMessageStartingWith("k/keeper: damaged at offset " + offset);
    }

    @Test
    void linesThatAreTooManyOrTooFewOrOfAnotherVersionAreRefused() {
        assertThatThrownBy(() -> decode(FIRST.replace("keeper 2\n", "keeper 3\n")))
                .isInstanceOf(OtherVersionException.class);
        assertThatThrownBy(() -> decode(FIRST.replace("keeper 2\n", "keeper 1\n")))
                .hasMessageContaining("more lines follow");
        assertThatThrownBy(() -> decode(FIRST.substring(0, FIRST.indexOf("replaced"))))
                .hasMessageContaining("no replacement follows");
        assertThatThrownBy(() -> decode("")).hasMessageContaining("it is no keeper's file");
        assertThatThrownBy(() -> decode(FIRST.substring(0, FIRST.length() - 1)))
                .isInstanceOf(DamagedDataException.class);
    }

    private static void decode(String text) throws DamagedDataException {
        KeeperIdentity.decoded("f", CheckedText.encoded(text));
    }
}
