// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.engine.cli.ShredderProcess.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code code} and {@code decode} as a process of their own, as users meet them. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CodedFileCommandTest {

    @TempDir
    Path folder;

    private final byte[] data = new byte[3_000_000];
    private Path file = Path.of("");
    private final List<Path> disks = new ArrayList<>();

    @BeforeEach
    void makeFile() throws Exception {
        new Random(7).nextBytes(data);
        file = Files.write(folder.resolve("vm.img"), data);
        for (int i = 0; i < 3; i++) {
            disks.add(Files.createDirectory(folder.resolve("disk" + i)));
        }
    }

    private Result run(Object... words) throws Exception {
        List<String> arguments = new ArrayList<>();
        for (Object word : words) {
            if (word instanceof List<?> list) {
                list.forEach(each -> arguments.add(each.toString()));
            } else {
                arguments.add(word.toString());
            }
        }
        return new ShredderProcess(folder).run(arguments.toArray(String[]::new));
    }

    private Path piece(int disk) {
        return disks.get(disk).resolve("vm.img.00" + disk + ".piece");
    }

    @Test
    void aFileSurvivesTheLossOfADiskAndRotOnAnother() throws Exception {
        Result coded = run("code", file, "--data", "1", "--parity", "2", "--to", disks);
        assertThat(coded.exitCode()).as(coded.err()).isZero();
        assertThat(coded.out().lines()).containsExactly(piece(0).toString(), piece(1).toString(), piece(2).toString());
        assertThat(coded.err()).contains("2.9 MiB as 3 pieces of 2.9 MiB").contains("any 1 give it back");
        assertThat(run("decode", "--check", disks).err())
                .contains("any 1 of 3 pieces are needed; all are there and sound");

        Files.delete(piece(0));
        Files.delete(disks.get(0));
        byte[] rotten = Files.readAllBytes(piece(1));
        rotten[1_000_000] ^= 1;
        Files.write(piece(1), rotten);
        Path restored = folder.resolve("restored");
        Result decoded = run("decode", disks, "--to", restored);
        assertThat(decoded.exitCode()).as(decoded.err()).isZero();
        assertThat(decoded.err())
                .contains(disks.get(0) + " isn't there")
                .contains("shredder: " + piece(1) + ": damaged at offset 983168: ")
                .contains("2.9 MiB decoded")
                .contains("; without 0\n");
        assertThat(decoded.out()).isEmpty();
        assertThat(Files.readAllBytes(restored)).isEqualTo(data);

        Result checked = run("decode", "--check", disks);
        assertThat(checked.exitCode()).isEqualTo(1);
        assertThat(checked.err())
                .contains(piece(1) + ": damaged at offset 983168: ")
                .contains("; without 0\n");

        Files.createDirectory(disks.get(0));
        assertThat(run("code", restored, "--data", "1", "--parity", "2", "--to", disks)
                        .exitCode())
                .isZero();
        Files.move(restored.resolveSibling("disk0/restored.000.piece"), piece(0));
        assertThat(run("decode", piece(0), piece(2), "--check").err()).contains("; without 1\n");
    }

    @Test
    void whatTooFewPlacesMeanIsSaid() throws Exception {
        assertThat(run("code", file, "--data", "4", "--parity", "2", "--to", disks)
                        .err())
                .contains("a folder has up to 2 pieces; any 1 folders may be lost");
        assertThat(run("code", file, "--data", "2", "--parity", "1", "--force", "--to", disks.get(0))
                        .err())
                .contains("warning: a folder has up to 3 pieces and only 1 may be lost: name more folders");
    }

    @Test
    void tooLittleIsAFailureWithOneLineAndNoFile() throws Exception {
        run("code", file, "--data", "2", "--parity", "1", "--to", disks);
        Path restored = folder.resolve("restored");
        assertFails(1, "2 pieces are needed and only 1 is there", "decode", piece(0), "--to", restored);
        Files.writeString(folder.resolve("other"), "other");
        run("code", folder.resolve("other"), "--data", "2", "--parity", "1", "--to", disks);
        assertFails(1, "are not pieces of one file, coded alike", "decode", disks, "--to", restored);
        assertThat(restored).doesNotExist();
    }

    @Test
    void badUsageIsOneClearLine() throws Exception {
        assertFails(2, "0 data and 1 parity shards", "code", file, "--data", "0", "--parity", "1", "--to", disks);
        assertFails(2, "at most 256 in all", "code", file, "--data", "200", "--parity", "57", "--to", disks);
        assertFails(2, "--to", "code", file, "--data", "2", "--parity", "1");
        assertFails(1, "does not exist", "code", folder.resolve("none"), "--data", 2, "--parity", 1, "--to", disks);
        assertFails(1, "make it first", "code", file, "--data", 2, "--parity", 1, "--to", folder.resolve("none"));
        assertFails(2, "give one of --to FILE and --check", "decode", disks);
        assertFails(1, "no piece can be read", "decode", disks, "--check");
        run("code", file, "--data", "2", "--parity", "1", "--to", disks);
        assertFails(1, "exists: name another place", "code", file, "--data", 2, "--parity", 1, "--to", disks);
        assertFails(1, "exists: name another place", "decode", disks, "--to", file);
        assertThat(Files.readAllBytes(file)).isEqualTo(data);
    }

    private void assertFails(int exitCode, String text, Object... words) throws Exception {
        Result result = run(words);
        assertThat(result.exitCode()).as(result.err()).isEqualTo(exitCode);
        assertThat(result.err()).contains(text).startsWith("shredder: ").hasLineCount(1);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void helpNamesTheOtherCommandAndTheExitCodes() throws Exception {
        assertThat(run("code", "--help").out()).contains("shredder decode", "--data=K", "--parity=M");
        assertThat(run("decode", "--help").out()).contains("shredder code", "Exit codes:");
    }

    @Test
    void aBackendThatDoesNotExistIsNotBlamedOnTheCode() throws Exception {
        List<String> words =
                List.of("code", file.toString(), "--data", "2", "--parity", "1", "--to", folder.toString());
        Result result = new ShredderProcess(folder).run(words, Map.of("SHREDDER_CODER_BACKEND", "abacus"));
        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).contains("abacus").doesNotContain("--data").hasLineCount(1);
    }

    @Test
    void fewerPiecesThanBeforeLeaveNoneOfThemBehind() throws Exception {
        run("code", file, "--data", "4", "--parity", "2", "--to", disks);
        Path other = Files.writeString(disks.get(0).resolve("vm.img.007.piece"), "no piece");
        Result coded = run("code", file, "--data", "2", "--parity", "1", "--force", "--to", disks);
        assertThat(coded.exitCode()).as(coded.err()).isZero();
        Files.delete(other);
        Path restored = folder.resolve("restored");
        Result decoded = run("decode", disks, "--to", restored);
        assertThat(decoded.exitCode()).as(decoded.err()).isZero();
        assertThat(Files.readAllBytes(restored)).isEqualTo(data);
    }
}
