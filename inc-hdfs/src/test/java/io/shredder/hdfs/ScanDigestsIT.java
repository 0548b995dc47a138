// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import io.shredder.chunk.ManifestCodec;
import io.shredder.hdfs.scan.digests.DigestListing;
import io.shredder.hdfs.scan.digests.ListedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code hadoop shredder scan --digests-only}, and {@code --verify --against} what that has written. */
class ScanDigestsIT extends ScanCase {

    private static final String LISTING = "/upload/checks/listing";

    private byte[] content;

    @BeforeEach
    void listThreeFiles() throws Exception {
        content = TextFiles.lines(4 * BLOCK, 1);
        put(content, "/upload/data/a");
        put(TextFiles.lines(BLOCK / 2, 2), "/upload/data/deep/ü b");
        put(new byte[0], "/upload/data/empty");
        fs.mkdirs(path("/upload/checks"));
        conf.set("inc-hdfs.scan.part", "1m");
        ShellRun run = scan("--digests-only", LISTING, "/upload/data");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines())
                .hasSize(5)
                .last()
                .asString()
                .isEqualTo(fs.makeQualified(path(LISTING))
                        + String.format(
                                ": listing of 3 files, %,d bytes",
                                fs.getFileStatus(path(LISTING)).getLen()));
    }

    private ShellRun verify(String... roots) throws Exception {
        String[] words = {"--verify", "--against", LISTING};
        return command(Stream.of(words, roots).flatMap(Arrays::stream).toArray(String[]::new));
    }

    private TreeMap<String, ListedFile> listed() throws IOException {
        TreeMap<String, ListedFile> files = new TreeMap<>();
        try (DigestListing listing = DigestListing.open(fs, path(LISTING))) {
            listing.readAll(file -> files.put(file.path(), file));
        }
        return files;
    }

    private static Chunk at(ListedFile file, long offset) {
        return file.manifest().chunks().stream()
                .filter(chunk -> chunk.offset() <= offset && offset < chunk.end())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theListingHasTheChunksOfUploadsAndNothingElseIsWritten() throws Exception {
        TreeMap<String, ListedFile> files = listed();
        assertThat(files.keySet()).containsExactly("/upload/data/a", "/upload/data/deep/ü b", "/upload/data/empty");
        assertThat(files.get("/upload/data/a").manifest().chunks()).isEqualTo(uploaded(content, "a"));
        assertThat(files.get("/upload/data/a").manifest().fileId())
                .isEqualTo(((HdfsFileStatus) fs.getFileStatus(path("/upload/data/a"))).getFileId());
        assertThat(names("/upload/data")).containsExactly("a", "deep", "empty");
        assertThat(names("/upload/data/deep")).containsExactly("ü b");
        assertThat(names("/upload/checks")).containsExactly("listing");
        assertThat(fs.getFileStatus(path(LISTING)).getPermission()).isEqualTo(new FsPermission((short) 0600));
        assertThat(fs.globStatus(path("/user/*/.shredder-scan-*"))).isEmpty();
        ShellRun run = verify("/upload/data");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("/upload/data/empty: 0 bytes, 0 chunks, verified\n")
                .endsWith("3 files verified, 0 damaged, 0 changed, 0 missing, 0 not listed, 0 could not be read\n");
    }

    @Test
    void aByteThatIsAnotherIsNamedWithFileChunkAndOffset() throws Exception {
        Chunk wrong = at(listed().get("/upload/data/a"), 3 * BLOCK + 17);
        content[3 * BLOCK + 17] ^= 1;
        put(content, "/upload/data/a");
        ShellRun run = verify("/upload/data");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .containsExactly("scan: " + fs.makeQualified(path("/upload/data/a")) + ": changed: the chunk at "
                        + wrong.offset() + " of " + wrong.length() + " bytes is not what the listing says; 1 of "
                        + listed().get("/upload/data/a").manifest().chunks().size() + " chunks differ");
        assertThat(run.out()).contains("2 files verified, 0 damaged, 1 changed, 0 missing");
    }

    /** The listing of one more chunk that isn't the file's: as if the file had rotten since. */
    private void forge(ListedFile file, Chunk chunk) throws Exception {
        byte[] manifest = ManifestCodec.encode(file.manifest());
        byte[] other = manifest.clone();
        int at = indexOf(other, chunk.fingerprint().toBytes());
        other[at] ^= 1;
        System.arraycopy(sha256(other), 0, other, other.length - Fingerprint.BYTES, Fingerprint.BYTES);
        byte[] listing = read(LISTING);
        System.arraycopy(other, 0, listing, indexOf(listing, manifest), other.length);
        System.arraycopy(sha256(listing), 0, listing, listing.length - Fingerprint.BYTES, Fingerprint.BYTES);
        put(listing, LISTING);
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(new String(part, StandardCharsets.ISO_8859_1));
    }

    /** Of all but the digest at the end. */
    private static byte[] sha256(byte[] bytes) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(bytes, 0, bytes.length - Fingerprint.BYTES);
        return digest.digest();
    }

    @Test
    @InTurn(days = 3)
    void aFileThatNobodyWroteToAndThatIsAnotherIsDamaged() throws Exception {
        ListedFile file = listed().get("/upload/data/a");
        Chunk wrong = at(file, 2 * BLOCK);
        forge(file, wrong);
        ShellRun run = verify("/upload/data");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).hasSize(1);
        assertThat(run.err())
                .contains("/upload/data/a: DAMAGED: the chunk at " + wrong.offset() + " of " + wrong.length()
                        + " bytes is not what the listing says; 1 of ");
    }

    @Test
    void whatIsShorterLongerGoneOrNewIsToldApart() throws Exception {
        put(Arrays.copyOf(content, 3 * BLOCK / 2), "/upload/data/a");
        try (FSDataOutputStream out = fs.append(path("/upload/data/deep/ü b"))) {
            out.write("more\n".getBytes(StandardCharsets.US_ASCII));
        }
        fs.delete(path("/upload/data/empty"), false);
        put(content, "/upload/data/new");
        ShellRun run = verify("--json", "/upload/data");
        assertThat(run.exitCode()).isEqualTo(1);
        JsonNode document = new ObjectMapper().readTree(run.out());
        JsonNode results = document.get("results");
        Chunk first = at(listed().get("/upload/data/a"), 3 * BLOCK / 2);
        assertThat(results.get(0).get("state").asText()).isEqualTo("changed");
        assertThat(results.get(0).get("firstDiffering").get("offset").asLong()).isEqualTo(first.offset());
        assertThat(results.get(0).get("chunks").asInt())
                .isEqualTo(listed().get("/upload/data/a").manifest().chunks().size());
        assertThat(results.get(1).get("state").asText()).isEqualTo("changed");
        assertThat(results.get(1).get("reason").asText()).startsWith("5 bytes are behind the ");
        assertThat(results.get(2).get("state").asText()).isEqualTo("missing");
        assertThat(results.get(3).get("state").asText()).isEqualTo("notListed");
        assertThat(document.get("counts").toString())
                .isEqualTo("{\"verified\":0,\"damaged\":0,\"changed\":2,\"missing\":1,\"notListed\":1,\"failed\":0}");
        assertThat(verify("/upload/data/new").exitCode())
                .as("no error: nobody said so")
                .isZero();
    }

    @InTurn(days = 2)
    @Test
    void theSameContentWrittenAnewIsVerifiedAndAFolderInPlaceOfAFileIsMissing() throws Exception {
        put(content, "/upload/data/a");
        fs.delete(path("/upload/data/empty"), false);
        fs.mkdirs(path("/upload/data/empty"));
        ShellRun run = verify("/upload/data");
        assertThat(run.errLines()).hasSize(1).first().asString().endsWith("/empty: MISSING: it is a folder now");
        assertThat(run.out()).contains("2 files verified");
        fs.delete(path("/upload/data/deep"), true);
        put(content, "/upload/data/deep");
        assertThat(verify("/upload/data").err()).contains("/ü b: MISSING: it is gone");
    }

    @InTurn(days = 2)
    @Test
    void aListedFileThatCannotBeProvedIsNoSuccess() throws Exception {
        try (FSDataOutputStream out = fs.append(path("/upload/data/a"))) {
            out.write('x');
            out.hflush();
            ShellRun run = verify("/upload/data");
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("/a: could not be verified: it is being written");
        }
    }

    @Test
    void aListingThatIsDamagedIsRefusedWithItsOffsetAndNothingIsReplaced() throws Exception {
        ShellRun again = scan("--digests-only", LISTING, "/upload/data");
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains(LISTING + " is there already, and stays");
        assertThat(scan("--digests-only", "/upload/none/listing", "/upload/data")
                        .err())
                .contains("its folder isn't there");
        byte[] bytes = read(LISTING);
        for (int at :
                new int[] {3, 9, 12, 20, bytes.length / 2, bytes.length - 60, bytes.length - 40, bytes.length - 1}) {
            byte[] flipped = bytes.clone();
            flipped[at] ^= 4;
            put(flipped, LISTING);
            ShellRun run = verify("/upload/data");
            assertThat(run.exitCode()).as("flipped at " + at).isEqualTo(1);
            assertThat(run.err()).contains(LISTING + ": damaged at offset ");
        }
        for (int length : new int[] {0, 16, bytes.length - 8}) {
            put(Arrays.copyOf(bytes, length), LISTING);
            assertThat(verify("/upload/data").err()).contains(LISTING + ": damaged at offset ");
        }
    }

    /** A real HDFS, in which somebody appends to a file as soon as a task has opened it. */
    public static final class GrowingFile extends DistributedFileSystem {

        @Override
        public FSDataInputStream open(org.apache.hadoop.fs.Path file, int bufferBytes) throws IOException {
            FSDataInputStream in = super.open(file, bufferBytes);
            if (file.getName().equals("growing") && getFileStatus(file).getLen() == BLOCK / 2) {
                try (FSDataOutputStream out = append(file)) {
                    out.write('x');
                }
            }
            return in;
        }
    }

    @Test
    void aFileThatIsWrittenToWhileItIsReadIsNamedAndNotListed() throws Exception {
        put(Arrays.copyOf(content, BLOCK / 2), "/upload/data/growing");
        conf.set("fs.hdfs.impl", GrowingFile.class.getName());
        conf.setBoolean("fs.hdfs.impl.disable.cache", true);
        try {
            ShellRun run = scan("--digests-only", "/upload/checks/other", "/upload/data");
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.errLines())
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("/upload/data/growing: ")
                    .contains("changed");
            assertThat(run.out()).contains("/upload/checks/other: listing of 3 files");
        } finally {
            conf.unset("fs.hdfs.impl");
            conf.unset("fs.hdfs.impl.disable.cache");
        }
    }

    @InTurn(days = 3)
    @Test
    void wordsThatMakeNoSenseAreRefused() throws Exception {
        assertThat(scan("--digests-only", LISTING, "--write", "/upload").exitCode())
                .isEqualTo(2);
        assertThat(scan("--digests-only", LISTING, "-f", "/upload").err()).contains("-f is not for --digests-only");
        assertThat(scan("--against", LISTING, "/upload").err()).contains("-against " + LISTING + " is for --verify");
        assertThat(verify("/upload/*").err()).contains("/upload/* is a pattern");
        assertThat(scan("--digests-only", local.toUri() + "/listing", "/upload").err())
                .contains("is not in HDFS");
        List<String> none = List.of("--digests-only", "/upload/checks/none", "/upload/checks/nothing");
        fs.mkdirs(path("/upload/checks/nothing"));
        assertThat(scan(none.toArray(String[]::new)).out()).contains("/upload/checks/none: listing of 0 files");
    }
}
