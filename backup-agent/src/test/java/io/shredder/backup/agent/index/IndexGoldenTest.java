// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.bytes.OtherVersionException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.TreeSet;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An index that was written once and for all: {@link #write}'s 200 puts in a run; in the log, two commits: puts of 200
 * and 201, removal of 0. It is opened by the product, and taken apart by hand as docs/formats/index.md says, with
 * nothing but the JDK.
 */
class IndexGoldenTest {

    private static final Path GOLDEN = Path.of("../testvectors/index-v4");
    private static final byte[] SECRET = LogStructuredIndexTest.KEY.secret();

    @TempDir
    private Path folder;

    /** How the golden index came to be; only {@code main} writes it, into an empty folder. */
    private static void write(Path into) throws IOException {
        IndexFiles files = LogStructuredIndexTest.files(new DiskFolder(into));
        LogStructuredIndex.create(files);
        try (LogStructuredIndex index = LogStructuredIndex.open(files, 200, Runnable::run)) {
            for (int i = 0; i < 202; i++) {
                index.put(FingerprintIndexContract.fingerprint(i), FingerprintIndexContract.location(i));
                if (i == 199) {
                    index.commit(new ContainerPosition(1, 5000));
                }
            }
            index.commit(new ContainerPosition(1, 6000));
            index.remove(FingerprintIndexContract.fingerprint(0));
            index.commit(new ContainerPosition(1, 7000));
        }
    }

    public static void main(String[] args) throws IOException {
        write(Files.createDirectories(Path.of(args[0])));
    }

    @Test
    void theGoldenIndexIsReadByTheProduct() throws IOException {
        try (LogStructuredIndex index = LogStructuredIndex.open(
                CopiedFolders.copy(GOLDEN, folder), LogStructuredIndexTest.REPOSITORY, LogStructuredIndexTest.KEY)) {
            assertThat(index.size()).isEqualTo(201);
            assertThat(index.covered()).isEqualTo(new ContainerPosition(1, 7000));
            checkEntries(index);
        }
    }

    private static void checkEntries(FingerprintIndex index) throws IOException {
        assertThat(index.find(FingerprintIndexContract.fingerprint(0))).isEmpty();
        for (int i = 1; i < 202; i++) {
            assertThat(index.find(FingerprintIndexContract.fingerprint(i)))
                    .contains(FingerprintIndexContract.location(i));
        }
    }

    @Test
    void aRunOfALaterVersionIsRefusedByName() throws IOException {
        Path copy = CopiedFolders.copy(GOLDEN, folder);
        Path run = copy.resolve("00000001.run");
        byte[] bytes = Files.readAllBytes(run);
        byte[] later = new FileHeader(FileHeader.INDEX_RUN_MAGIC, 5, 1, LogStructuredIndexTest.REPOSITORY)
                .encode()
                .array();
        System.arraycopy(later, 0, bytes, 0, later.length);
        Files.write(run, bytes);
        assertThatThrownBy(() ->
                        LogStructuredIndex.open(copy, LogStructuredIndexTest.REPOSITORY, LogStructuredIndexTest.KEY))
                .isInstanceOf(OtherVersionException.class)
                .hasMessage("index/00000001.run: damaged at offset 8: it has version 5, this program reads version 4:"
                        + " upgrade this program");
    }

    @Test
    void whatIsWrittenTodayHasTheGoldenIndexsFilesAndLengths() throws IOException {
        write(folder);
        for (String name : GOLDEN.toFile().list()) {
            assertThat(Files.size(folder.resolve(name))).as(name).isEqualTo(Files.size(GOLDEN.resolve(name)));
        }
        assertThat(folder.toFile().list()).hasSameSizeAs(GOLDEN.toFile().list());
    }

    private static byte[] hmac(byte[] key, byte[] data) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(data);
    }

    /** Section 1: the key of a file whose first 96 bytes are its preamble. */
    private static SecretKeySpec key(ByteBuffer file, String purpose) throws GeneralSecurityException {
        byte[] salt = Arrays.copyOfRange(file.array(), 64, 96);
        ByteBuffer info = ByteBuffer.allocate(100)
                .put(("shredder index " + purpose).getBytes(StandardCharsets.US_ASCII))
                .put((byte) 0)
                .putLong(1)
                .putLong(2)
                .putInt(file.getInt(12))
                .put((byte) 1);
        return new SecretKeySpec(hmac(hmac(salt, SECRET), Arrays.copyOf(info.array(), info.position())), "AES");
    }

    private static byte[] open(SecretKeySpec key, long sequence, int part, byte[] clear, byte[] sealed)
            throws GeneralSecurityException {
        byte[] nonce = ByteBuffer.allocate(12).putLong(sequence).putInt(part).array();
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, nonce));
        cipher.updateAAD(clear);
        return cipher.doFinal(sealed);
    }

    private static ByteBuffer golden(String name, String magic) throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(GOLDEN.resolve(name)));
        assertThat(new String(file.array(), 0, 8, StandardCharsets.US_ASCII)).isEqualTo(magic);
        return file;
    }

    @Test
    void theManifestHasTheDocumentedBytes() throws Exception {
        ByteBuffer file = golden("manifest", "SHRDIMAN");
        byte[] clear = Arrays.copyOf(file.array(), 96);
        byte[] sealed = Arrays.copyOfRange(file.array(), 112, file.capacity());
        ByteBuffer plain = ByteBuffer.wrap(open(key(file, "manifest"), 0, 0, clear, sealed));
        assertThat(plain.capacity()).isEqualTo(32 + 28);
        assertThat(new int[] {plain.getInt(), plain.getInt()}).containsExactly(1, 5000);
        assertThat(plain.getLong()).isEqualTo(200);
        assertThat(new int[] {plain.getInt(), plain.getInt(), plain.getInt(), plain.getInt()})
                .containsExactly(2, 2, 1, 1);
        assertThat(plain.getInt()).isEqualTo(1);
        assertThat(plain.getLong()).isEqualTo(200);
        byte[] run = golden("00000001.run", "SHRDIRUN").array();
        byte[] tag = new byte[16];
        plain.get(tag);
        assertThat(tag).isEqualTo(Arrays.copyOfRange(run, 2016, 2032));
    }

    @Test
    void theLogHasTheDocumentedBytes() throws Exception {
        ByteBuffer file = golden("00000002.log", "SHRDILOG");
        SecretKeySpec key = key(file, "log");
        byte[] all = file.array();
        assertThat(open(key, 0, 0, Arrays.copyOf(all, 96), Arrays.copyOfRange(all, 96, 112)))
                .isEmpty();
        int first = 112;
        int second = first + 24 + 8 + 2 * 48 + 16;
        assertThat(all).hasSize(second + 24 + 8 + 48 + 16);
        ByteBuffer puts = record(file, key, first, 2, 1);
        assertThat(new int[] {puts.getInt(), puts.getInt()}).containsExactly(1, 6000);
        assertThat(Fingerprint.read(puts)).isEqualTo(FingerprintIndexContract.fingerprint(200));
        assertThat(new int[] {puts.getInt(), puts.getInt(), puts.getInt(), puts.getInt()})
                .containsExactly(1, 264, 300, 400);
        ByteBuffer removal = record(file, key, second, 1, 2);
        assertThat(new int[] {removal.getInt(), removal.getInt()}).containsExactly(1, 7000);
        assertThat(Fingerprint.read(removal)).isEqualTo(FingerprintIndexContract.fingerprint(0));
        assertThat(new long[] {removal.getLong(), removal.getLong()}).containsExactly(0, 0);
    }

    private static ByteBuffer record(ByteBuffer file, SecretKeySpec key, int at, int entries, long commit)
            throws GeneralSecurityException {
        assertThat(new String(file.array(), at, 4, StandardCharsets.US_ASCII)).isEqualTo("ILOG");
        assertThat(file.getInt(at + 4)).isEqualTo(entries);
        assertThat(file.getLong(at + 8)).isEqualTo(commit);
        assertThat(file.getInt(at + 16)).isZero();
        assertThat(file.getInt(at + 20)).isEqualTo(1);
        byte[] clear = Arrays.copyOfRange(file.array(), at, at + 24);
        byte[] sealed = Arrays.copyOfRange(file.array(), at + 24, at + 24 + 8 + entries * 48 + 16);
        return ByteBuffer.wrap(open(key, commit, 0, clear, sealed));
    }

    @Test
    void theRunHasTheDocumentedPages() throws Exception {
        int pageBytes = 2032;
        int entryPages = 5;
        ByteBuffer file = golden("00000001.run", "SHRDIRUN");
        SecretKeySpec key = key(file, "run");
        byte[] all = file.array();
        assertThat(file.getShort(8)).isEqualTo((short) 4);
        assertThat(all).hasSize((1 + entryPages + 1 + 1) * pageBytes);
        assertThat(open(
                        key,
                        0,
                        0,
                        Arrays.copyOf(all, pageBytes - 16),
                        Arrays.copyOfRange(all, pageBytes - 16, pageBytes)))
                .isEmpty();
        assertThat(file.getLong(96)).isEqualTo(200);
        assertThat(file.getInt(104)).isEqualTo(32);
        TreeSet<Fingerprint> expected = new TreeSet<>();
        for (int i = 0; i < 200; i++) {
            expected.add(FingerprintIndexContract.fingerprint(i));
        }
        int entriesPerPage = (pageBytes - 16) / 48;
        int firstEntryPage = 2;
        ByteBuffer fences = page(key, all, pageBytes, firstEntryPage + entryPages);
        ByteBuffer filter = page(key, all, pageBytes, 1);
        ByteBuffer entries = page(key, all, pageBytes, firstEntryPage);
        int at = 0;
        for (Fingerprint fingerprint : expected) {
            if (at % entriesPerPage == 0) {
                entries = page(key, all, pageBytes, firstEntryPage + at / entriesPerPage);
                assertThat(fences.getInt() & 0xFFFF_FFFFL).isEqualTo(fingerprint.prefix() >>> 32);
            }
            assertThat(Fingerprint.read(entries)).isEqualTo(fingerprint);
            entries.getLong();
            entries.getLong();
            assertInFilter(filter, 4, fingerprint.prefix());
            at++;
        }
    }

    private static ByteBuffer page(SecretKeySpec key, byte[] all, int pageBytes, int page)
            throws GeneralSecurityException {
        byte[] sealed = Arrays.copyOfRange(all, page * pageBytes, (page + 1) * pageBytes);
        return ByteBuffer.wrap(open(key, page, 0, new byte[0], sealed));
    }

    private static void assertInFilter(ByteBuffer filter, int blocks, long prefix) {
        java.math.BigInteger product =
                new java.math.BigInteger(Long.toUnsignedString(prefix)).multiply(java.math.BigInteger.valueOf(blocks));
        int block = product.shiftRight(64).intValueExact();
        long bits = prefix * 0x9e3779b97f4a7c15L;
        for (int i = 0; i < 6; i++) {
            int bit = (int) (bits & 511);
            assertThat(filter.getLong((block * 8 + bit / 64) * 8) >>> (bit % 64) & 1)
                    .isEqualTo(1);
            bits >>>= 9;
        }
    }
}
