// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal.keyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.seal.Keys;
import io.shredder.backup.seal.PrivateFiles;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.keyfile.Secret.Passphrase;
import io.shredder.backup.seal.keyfile.Secret.SecretFile;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFileTest {

    private static final Path GOLDEN = Path.of("..", "testvectors", "backup-key-v1.txt");
    private static final Passphrase GOLDEN_PASSPHRASE = new Passphrase("correct horse ä");

    @TempDir
    private Path folder;

    private SecretFile secretFile(String name) throws IOException {
        return SecretFile.create(folder.resolve(name), Keys.RANDOM);
    }

    private static boolean same(RepositoryKey one, RepositoryKey other) {
        return java.util.Arrays.equals(one.secret(), other.secret());
    }

    @Test
    void theDocumentedFileOpensByPassphraseAndBySecretFile() throws IOException {
        KeyFile file = KeyFile.read(GOLDEN);
        assertThat(same(file.unlock(GOLDEN_PASSPHRASE), Keys.counted())).isTrue();
        Path secret = folder.resolve("secret");
        PrivateFiles.create(secret, "ab".repeat(32));
        assertThat(same(file.unlock(SecretFile.read(secret)), Keys.counted())).isTrue();
        assertThat(file.opens(SecretFile.read(secret))).contains(2);
        assertThat(file.wrappings())
                .extracting(KeyWrapping::description)
                .containsExactly("a passphrase (Argon2id, 2 passes over 1 MiB)", "a secret file");
    }

    @Test
    void aWrittenFileReadsBackAndIsTheOwnersAlone() throws IOException {
        RepositoryKey key = RepositoryKey.generate(Keys.RANDOM);
        SecretFile secret = secretFile("secret");
        Path path = folder.resolve("key");
        KeyFile.of(key, secret, Keys.RANDOM).create(path);
        assertThat(same(KeyFile.read(path).unlock(secret), key)).isTrue();
        for (Path file : List.of(path, folder.resolve("secret"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        assertThatThrownBy(() -> KeyFile.of(key, secret, Keys.RANDOM).create(path))
                .hasMessage(path + " exists: name another file");
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("key", "secret");
    }

    @Test
    void aWrongSecretSaysSo() throws IOException {
        KeyFile file = KeyFile.read(GOLDEN);
        assertThatThrownBy(() -> file.unlock(new Passphrase("correct horse")))
                .hasMessage("the passphrase is not one of key " + Keys.counted().id()
                        + ": its file has 1 wrappings of this kind, 2 in all");
        SecretFile other = secretFile("other");
        assertThatThrownBy(() -> file.unlock(other)).hasMessageContaining("the secret file " + folder);
    }

    @Test
    void wrappingsAreAddedAndRemovedButNeverTheLast() throws IOException {
        RepositoryKey key = Keys.counted();
        SecretFile first = secretFile("first");
        SecretFile second = secretFile("second");
        KeyFile one = KeyFile.of(key, first, Keys.RANDOM);
        KeyFile both = one.with(key, second, Keys.RANDOM);
        assertThat(same(both.unlock(first), key)).isTrue();
        assertThat(same(both.unlock(second), key)).isTrue();
        KeyFile rest = both.without(1);
        assertThat(same(rest.unlock(second), key)).isTrue();
        assertThatThrownBy(() -> rest.unlock(first)).hasMessageContaining("is not one of key");
        assertThatThrownBy(() -> rest.without(1)).hasMessageContaining("this is the only wrapping");
        assertThatThrownBy(() -> both.without(3)).hasMessageContaining("there is no wrapping 3");
    }

    @Test
    void everyChangedByteIsRefusedWithAnOffset() throws IOException {
        byte[] good = Files.readAllBytes(GOLDEN);
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= 1;
            assertDamaged(bad, "changed at " + at);
        }
        for (int length = 0; length < good.length; length++) {
            assertDamaged(java.util.Arrays.copyOf(good, length), "cut to " + length);
        }
    }

    private static void assertDamaged(byte[] bytes, String as) {
        assertThatThrownBy(() -> KeyFile.parse(new String(bytes, StandardCharsets.ISO_8859_1), "f"))
                .as(as)
                .isInstanceOfSatisfying(
                        DamagedDataException.class, e -> assertThat(e.offset()).isBetween(0L, (long) bytes.length));
    }

    @Test
    void randomLinesWithARightCheckNeverDoMoreThanFailWithAnOffset() throws IOException {
        Random random = Keys.seeded();
        String good = Files.readString(GOLDEN, StandardCharsets.ISO_8859_1);
        String body = good.substring(0, good.indexOf("check "));
        for (int round = 0; round < 5000; round++) {
            StringBuilder bad = new StringBuilder(body);
            for (int i = random.nextInt(4); i >= 0; i--) {
                bad.setCharAt(22 + random.nextInt(bad.length() - 22), "0f \nwx9".charAt(random.nextInt(7)));
            }
            String text = bad + "check "
                    + io.shredder.chunk.Fingerprint.ofData(
                            java.nio.ByteBuffer.wrap(bad.toString().getBytes(StandardCharsets.ISO_8859_1)))
                    + "\n";
            try {
                assertThat(KeyFile.parse(text, "f").wrappings()).hasSizeBetween(1, 2);
            } catch (DamagedDataException e) {
                assertThat(e.offset()).isBetween(0L, (long) text.length());
            }
        }
    }

    @Test
    void aFutureVersionAsksForAnUpgrade() {
        assertThatThrownBy(() -> KeyFile.parse("shredder-backup-key 2\n", "f")).hasMessageContaining("upgrade it");
        assertThatThrownBy(() -> KeyFile.parse("-----BEGIN", "f")).hasMessageContaining("not a key file");
    }

    @Test
    void anAbsentFileSaysHowToMakeOne() {
        assertThatThrownBy(() -> KeyFile.read(folder.resolve("absent")))
                .hasMessageContaining("there is no key file " + folder.resolve("absent"))
                .hasMessageContaining("key create");
    }

    @Test
    void filesThatEverybodyMayReadAndEmptyOnesAreRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("p"), "a passphrase\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> Passphrase.read(file)).hasMessageContaining("run 'chmod 600 " + file + "'");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(Passphrase.read(file)).isEqualTo(new Passphrase("a passphrase"));
        assertThatThrownBy(() -> SecretFile.read(file)).hasMessageContaining("is not a secret file");
        Files.writeString(file, "\nx");
        assertThatThrownBy(() -> Passphrase.read(file)).hasMessageContaining("first line of " + file + " is empty");
        assertThatThrownBy(() -> new Passphrase("short").checkedAsNew()).hasMessageContaining("shorter than 8");
    }

    @Test
    void neitherKeysNorSecretsPrintThemselves() {
        assertThat(Keys.counted()).hasToString("key " + Keys.counted().id());
        assertThat(new Passphrase("hush hush")).hasToString("the passphrase");
    }
}
