// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.GoldenVectors;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CodedFileTest {

    private static final int SHORT_CELL = PieceLayout.BLOCK_BYTES;

    @TempDir
    Path folder;

    private final Random random = seeded();
    private final List<String> damages = new ArrayList<>();

    /** Prints its seed, so that a failure can be repeated. */
    private static Random seeded() {
        long seed = System.nanoTime();
        System.out.println("CodedFileTest seed " + seed);
        return new Random(seed);
    }

    private byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private List<Path> code(String name, byte[] bytes, int data, int parity, int cellBytes) throws IOException {
        Path file = Files.write(folder.resolve(name), bytes);
        try (FileChannel source = FileChannel.open(file)) {
            PieceLayout layout = new PieceLayout(data, parity, cellBytes, bytes.length);
            return FileCoder.code(file, source, layout, List.of(folder), true, coded -> {});
        }
    }

    private byte[] decode(List<Path> pieces) throws IOException {
        Path target = folder.resolve("decoded");
        Files.deleteIfExists(target);
        damages.clear();
        try (FileDecoder decoder = FileDecoder.open(pieces, damages::add)) {
            decoder.decode(target, false, bytes -> {});
        }
        return Files.readAllBytes(target);
    }

    private void check(List<Path> pieces) throws IOException {
        damages.clear();
        try (FileDecoder decoder = FileDecoder.open(pieces, damages::add)) {
            decoder.check(bytes -> {});
            assertThat(decoder.isSound()).isEqualTo(damages.isEmpty());
        }
    }

    private static void flip(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) at] ^= 0x10;
        Files.write(file, bytes);
    }

    private static List<List<Path>> subsets(List<Path> pieces, int size) {
        return IntStream.range(0, 1 << pieces.size())
                .filter(set -> Integer.bitCount(set) == size)
                .mapToObj(set -> IntStream.range(0, pieces.size())
                        .filter(i -> (set >> i & 1) == 1)
                        .mapToObj(pieces::get)
                        .toList())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "2, 1", "2, 2", "3, 2", "4, 2", "5, 3"})
    void everySubsetOfAsManyPiecesAsThereAreDataShardsGivesTheFileBackAndOneFewerDoesNot(int data, int parity)
            throws IOException {
        int group = data * SHORT_CELL;
        for (int length : new int[] {0, 1, 63, 64 * data + 1, group - 1, group, group + 1, 2 * group + 70_001}) {
            byte[] bytes = randomBytes(length);
            List<Path> pieces = code("file", bytes, data, parity, SHORT_CELL);
            assertThat(pieces).hasSize(data + parity);
            for (List<Path> some : subsets(pieces, data)) {
                List<Path> shuffled = new ArrayList<>(some);
                Collections.shuffle(shuffled, random);
                assertThat(decode(shuffled)).as("%d bytes of %s", length, some).isEqualTo(bytes);
                assertThat(damages).isEmpty();
            }
            check(pieces);
            assertThat(damages).isEmpty();
        }
        for (List<Path> few : subsets(pieces("file"), data - 1)) {
            assertThatThrownBy(() -> decode(few)).isInstanceOf(IOException.class);
        }
    }

    private List<Path> pieces(String name) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(name + "\\.\\d{3}\\.piece"))
                    .sorted()
                    .toList();
        }
    }

    @InTurn(days = 3)
    @Test
    void aFlipOfAnyByteIsNamedByItsPieceAndPlaceAndDecodedPast() throws IOException {
        byte[] bytes = randomBytes(150);
        List<Path> pieces = code("file", bytes, 2, 1, SHORT_CELL);
        PieceLayout layout = new PieceLayout(2, 1, SHORT_CELL, bytes.length);
        for (Path piece : pieces) {
            byte[] sound = Files.readAllBytes(piece);
            for (int at = 0; at < sound.length; at++) {
                flip(piece, at);
                long part = at < layout.cellAt(0) ? 0 : at < layout.entryAt(0) ? layout.cellAt(0) : layout.entryAt(0);
                check(pieces);
                assertThat(damages).as("flip at %d", at).hasSize(1);
                assertThat(damages.get(0)).startsWith(piece + ": damaged at offset " + part + ": ");
                assertThat(decode(pieces)).as("flip at %d", at).isEqualTo(bytes);
                Files.write(piece, sound);
            }
        }
    }

    @Test
    void aFlipInAnyByteOfTheOnlyPiecesThereAreNeverGivesWrongBytes() throws IOException {
        byte[] bytes = randomBytes(150);
        List<Path> two = code("file", bytes, 2, 1, SHORT_CELL).subList(0, 2);
        PieceLayout layout = new PieceLayout(2, 1, SHORT_CELL, bytes.length);
        byte[] sound = Files.readAllBytes(two.get(0));
        for (int at = 0; at < sound.length; at++) {
            flip(two.get(0), at);
            if (at < layout.entryAt(0)) {
                assertThatThrownBy(() -> decode(two)).isInstanceOf(IOException.class);
                assertThat(damages).isNotEmpty();
            } else {
                assertThat(decode(two)).isEqualTo(bytes);
            }
            assertThat(folder.resolve("decoded").toFile().exists()).isEqualTo(at >= layout.entryAt(0));
            Files.write(two.get(0), sound);
        }
    }

    @Test
    void damageWithinALongCellIsNamedTo64KiB() throws IOException {
        byte[] bytes = randomBytes(2 * (256 << 10));
        List<Path> pieces = code("file", bytes, 2, 1, 256 << 10);
        flip(pieces.get(1), PieceHeader.BYTES + 3 * PieceLayout.BLOCK_BYTES + 77);
        check(pieces);
        assertThat(damages).hasSize(1);
        assertThat(damages.get(0))
                .contains(
                        "file.001.piece: damaged at offset " + (PieceHeader.BYTES + 3 * PieceLayout.BLOCK_BYTES) + ":");
    }

    @Test
    void aPieceThatEndsEarlierOrLaterIsNamedAndWhatItHasIsUsed() throws IOException {
        byte[] bytes = randomBytes(2 * SHORT_CELL + 150);
        List<Path> pieces = code("file", bytes, 2, 1, SHORT_CELL);
        byte[] sound = Files.readAllBytes(pieces.get(0));
        List<Integer> lengths = new ArrayList<>(List.of(0, 1, 64, 127, 128, 129, SHORT_CELL + 127, SHORT_CELL + 128));
        IntStream.range(SHORT_CELL + 129, sound.length).forEach(lengths::add);
        for (int length : lengths) {
            Files.write(pieces.get(0), Arrays.copyOf(sound, length));
            assertThat(decode(pieces)).as("%d bytes", length).isEqualTo(bytes);
            assertThat(damages).as("%d bytes", length).isNotEmpty();
            assertThat(damages.get(0)).startsWith(pieces.get(0) + ": damaged at offset " + length + ": ");
        }
        Files.write(pieces.get(0), Arrays.copyOf(sound, sound.length + 1));
        assertThat(decode(pieces)).isEqualTo(bytes);
        assertThat(damages).singleElement().asString().contains("has " + (sound.length + 1) + " bytes, not");
    }

    @Test
    void morePiecesThanThereIsParityMayBeDamagedInDifferentGroups() throws IOException {
        byte[] bytes = randomBytes(3 * 2 * SHORT_CELL);
        List<Path> pieces = code("file", bytes, 2, 1, SHORT_CELL);
        for (int i = 0; i < 3; i++) {
            flip(pieces.get(i), PieceHeader.BYTES + i * SHORT_CELL + 5);
        }
        assertThat(decode(pieces)).isEqualTo(bytes);
        check(pieces);
        assertThat(damages).hasSize(3);
        flip(pieces.get(1), PieceHeader.BYTES);
        assertThatThrownBy(() -> decode(pieces))
                .hasMessage("the file's bytes 0 to 131071 can't be decoded: 2 sound cells are needed and only 1 is"
                        + " there: find more pieces");
        assertThatThrownBy(() -> check(pieces)).hasMessageContaining("bytes 0 to 131071");
        assertThat(damages).hasSize(4);
    }

    @Test
    void tablesThatAreDamagedInEveryPieceInDifferentGroupsStillProveTheFile() throws IOException {
        byte[] bytes = randomBytes(3 * 2 * SHORT_CELL);
        List<Path> pieces = code("file", bytes, 2, 1, SHORT_CELL);
        PieceLayout layout = new PieceLayout(2, 1, SHORT_CELL, bytes.length);
        for (int i = 0; i < 3; i++) {
            flip(pieces.get(i), layout.entryAt(i) + 20);
        }
        assertThat(decode(pieces)).isEqualTo(bytes);
        assertThat(damages).hasSize(3);
        for (int i = 1; i < 3; i++) {
            flip(pieces.get(i), layout.entryAt(0) + 20);
        }
        assertThatThrownBy(() -> decode(pieces)).hasMessageContaining("no piece has a sound table");
    }

    @Test
    void randomDamageOfSomePiecesIsDecodedPastAndThatOfAllNeverGivesWrongBytes() throws IOException {
        byte[] bytes = randomBytes(4 * 4 * SHORT_CELL + 12_345);
        for (int round = 0; round < 20; round++) {
            List<Path> pieces = code("file", bytes, 4, 2, SHORT_CELL);
            List<Path> victims = new ArrayList<>(pieces);
            Collections.shuffle(victims, random);
            for (Path victim : victims.subList(0, 2)) {
                flipSome(victim);
            }
            assertThat(decode(pieces)).isEqualTo(bytes);
            for (Path victim : victims) {
                flipSome(victim);
            }
            try {
                assertThat(decode(pieces)).isEqualTo(bytes);
            } catch (IOException e) {
                assertThat(e).message().isNotBlank();
                assertThat(folder.resolve("decoded")).doesNotExist();
            }
        }
    }

    private void flipSome(Path piece) throws IOException {
        byte[] bytes = Files.readAllBytes(piece);
        for (int i = random.nextInt(6); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        Files.write(piece, bytes);
    }

    @Test
    void namesOfPiecesMeanNothingAndExchangedContentsAreFound() throws IOException {
        byte[] bytes = randomBytes(4 * SHORT_CELL);
        List<Path> pieces = code("file", bytes, 2, 2, SHORT_CELL);
        byte[] first = Files.readAllBytes(pieces.get(0));
        byte[] last = Files.readAllBytes(pieces.get(3));
        Files.write(pieces.get(0), last);
        Files.write(pieces.get(3), first);
        assertThat(decode(pieces)).isEqualTo(bytes);
        check(pieces);
        assertThat(damages).isEmpty();

        System.arraycopy(first, 0, last, 0, PieceHeader.BYTES);
        Files.write(pieces.get(0), last);
        assertThat(decode(pieces.subList(0, 3))).isEqualTo(bytes);
        assertThat(damages)
                .hasSize(2)
                .allMatch(damage -> damage.startsWith(pieces.get(0).toString()));
    }

    @Test
    void piecesOfOtherFilesAndOtherCodesAreRefusedByName() throws IOException {
        List<Path> one = code("one", randomBytes(1000), 2, 1, SHORT_CELL);
        byte[] two = randomBytes(1000);
        List<Path> other = code("two", two, 2, 1, SHORT_CELL);
        List<Path> wider = code("wider", two, 2, 2, SHORT_CELL);
        for (List<Path> mixed :
                List.of(List.of(one.get(0), other.get(1), other.get(2)), List.of(other.get(0), wider.get(1)))) {
            assertThatThrownBy(() -> decode(mixed))
                    .hasMessageContaining("are not pieces of one file, coded alike")
                    .hasMessageContaining(mixed.get(0).toString())
                    .hasMessageContaining(mixed.get(1).toString());
        }
        Path copy = Files.copy(one.get(1), folder.resolve("copy"));
        assertThatThrownBy(() -> decode(List.of(one.get(0), one.get(1), copy)))
                .hasMessageContaining("are both piece 1: leave one of them out");
    }

    @Test
    void aPieceThatLiesWithAllItsChecksumsRightIsNamed() throws IOException {
        byte[] bytes = randomBytes(2 * SHORT_CELL);
        List<Path> pieces = code("file", bytes, 2, 2, SHORT_CELL);
        PieceLayout layout = new PieceLayout(2, 2, SHORT_CELL, bytes.length);
        ByteBuffer liar = ByteBuffer.wrap(Files.readAllBytes(pieces.get(0)));
        ByteBuffer cell = liar.slice(PieceHeader.BYTES, SHORT_CELL);
        cell.put(9, (byte) ~cell.get(9));
        byte[] digests = new byte[4 * Fingerprint.BYTES];
        liar.get((int) layout.entryAt(0) + 16, digests);
        System.arraycopy(Checksums.sha256(cell), 0, digests, 0, Fingerprint.BYTES);
        liar.put(
                (int) layout.entryAt(0),
                CellTable.of(digests, cell).encoded(0, SHORT_CELL).array(),
                0,
                layout.entryBytesOf(0));
        Files.write(pieces.get(0), liar.array());

        assertThat(decode(pieces)).isEqualTo(bytes);
        check(pieces);
        assertThat(damages)
                .isNotEmpty()
                .allMatch(damage -> damage.startsWith(pieces.get(0).toString()));
        assertThat(damages).anyMatch(damage -> damage.contains("is another file's"));
        assertThatThrownBy(() -> decode(pieces.subList(0, 1))).isInstanceOf(IOException.class);
    }

    @Test
    void anUnknownVersionAndOtherFilesAreToldApart() throws IOException {
        List<Path> pieces = code("file", randomBytes(100), 2, 2, SHORT_CELL);
        ByteBuffer newer = ByteBuffer.wrap(Files.readAllBytes(pieces.get(0)));
        newer.putInt(8, 2);
        newer.putInt(PieceHeader.BYTES - 4, Checksums.crc(newer.slice(0, PieceHeader.BYTES - 4)));
        Files.write(pieces.get(0), newer.array());
        Files.write(pieces.get(1), new byte[1000]);
        check(pieces);
        assertThat(damages)
                .containsExactly(
                        pieces.get(0) + ": damaged at offset 8: version 2 is unknown: only 1 can be read",
                        pieces.get(1)
                                + ": damaged at offset 0: isn't a piece of a coded file, or its magic is damaged");
    }

    @Test
    void whatFailsLeavesNothingBehindAndReplacesNothing() throws IOException {
        byte[] bytes = randomBytes(1000);
        List<Path> pieces = code("file", bytes, 2, 1, SHORT_CELL);
        List<Path> before = contents();
        Path file = folder.resolve("file");
        assertThatThrownBy(() -> FileCoder.code(file, 2, 1, List.of(folder), false, coded -> {}))
                .hasMessageContaining("exists: name another place, or replace it with --force");
        assertThatThrownBy(() -> FileCoder.code(file, 2, 1, List.of(folder, folder), true, coded -> {}))
                .hasMessageContaining("is named twice");
        assertThatThrownBy(() -> FileCoder.code(folder, 2, 1, List.of(folder), true, coded -> {}))
                .hasMessageContaining("is not an ordinary file");
        try (FileDecoder decoder = FileDecoder.open(pieces, damages::add)) {
            assertThatThrownBy(() -> decoder.decode(file, false, done -> {})).hasMessageContaining("exists");
            assertThatThrownBy(() -> decoder.decode(pieces.get(0), true, done -> {}))
                    .hasMessageContaining("is one of the pieces");
        }
        flip(pieces.get(0), PieceHeader.BYTES);
        try (FileDecoder decoder = FileDecoder.open(pieces.subList(0, 2), damages::add)) {
            assertThatThrownBy(() -> decoder.decode(file, true, done -> {})).hasMessageContaining("can't be decoded");
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        assertThat(contents()).isEqualTo(before);
    }

    private List<Path> contents() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Test
    void aFileCodedAgainGivesTheSamePieces() throws IOException {
        byte[] bytes = randomBytes(3 * SHORT_CELL);
        List<Path> pieces = code("file", bytes, 2, 1, SHORT_CELL);
        byte[] lost = Files.readAllBytes(pieces.get(1));
        Files.delete(pieces.get(1));
        byte[] decoded = decode(List.of(pieces.get(0), pieces.get(2)));
        assertThat(Files.readAllBytes(code("file", decoded, 2, 1, SHORT_CELL).get(1)))
                .isEqualTo(lost);
    }

    @Test
    void manyDamagesOfAPieceAreCounted() throws IOException {
        byte[] bytes = randomBytes(20 * SHORT_CELL);
        List<Path> pieces = code("file", bytes, 1, 1, SHORT_CELL);
        byte[] piece = Files.readAllBytes(pieces.get(0));
        for (int group = 0; group < 20; group++) {
            piece[PieceHeader.BYTES + group * SHORT_CELL] ^= 1;
        }
        Files.write(pieces.get(0), piece);
        assertThat(decode(pieces)).isEqualTo(bytes);
        assertThat(damages).hasSize(11).last().asString().endsWith("file.000.piece: damaged at 10 more places");
    }

    /** Written by another program from {@code docs/formats/coded-file.md}. */
    @Test
    void theGoldenPiecesAreWhatIsWrittenAndAreRead() throws IOException {
        Path vectors = GoldenVectors.directory();
        int pinned = 0;
        for (JsonNode vector :
                new ObjectMapper().readTree(vectors.resolve("coded-file.json").toFile())) {
            byte[] input = GoldenVectors.input(vector.get("input"));
            List<Path> pieces = code(
                    "small",
                    input,
                    vector.get("data").intValue(),
                    vector.get("parity").intValue(),
                    vector.get("cellBytes").intValue());
            for (int i = 0; i < pieces.size(); i++) {
                byte[] piece = Files.readAllBytes(pieces.get(i));
                assertThat(Fingerprint.ofData(ByteBuffer.wrap(piece)).toString())
                        .as("%s piece %d", vector, i)
                        .isEqualTo(vector.get("pieces").get(i).textValue());
                pinned++;
                Path golden = vectors.resolve("coded-file-v1/" + pieces.get(i).getFileName());
                if (input.length == 1000) {
                    assertThat(piece).isEqualTo(Files.readAllBytes(golden));
                    Files.copy(golden, folder.resolve("golden." + i));
                }
            }
        }
        assertThat(pinned).isEqualTo(58);
        assertThat(decode(List.of(folder.resolve("golden.4"), folder.resolve("golden.3"), folder.resolve("golden.1"))))
                .hasSize(1000);
    }
}
