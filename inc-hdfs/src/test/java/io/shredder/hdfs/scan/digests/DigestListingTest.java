// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.digests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.GoldenVectors;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.io.BytesWritable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DigestListingTest {

    private static final List<String> PATHS = List.of("/data/b", "/data/ä", "/data/B");
    private static byte[] golden;
    private static Manifest manifest;
    private static FileSystem files;

    @TempDir
    private Path folder;

    @BeforeAll
    static void readVectors() throws IOException {
        golden = Files.readAllBytes(GoldenVectors.directory().resolve("digests-v1.bin"));
        manifest = ManifestCodec.decode(
                Files.readAllBytes(GoldenVectors.directory().resolve("manifest-v1.bin")), "manifest-v1.bin");
        LocalFileSystem local = FileSystem.getLocal(new Configuration());
        local.setVerifyChecksum(false);
        files = local;
    }

    private static ListedFile listed(String path) {
        return new ListedFile(
                path, Fingerprint.ofData(ByteBuffer.wrap(path.getBytes(StandardCharsets.UTF_8))), manifest);
    }

    private DigestListing open(byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("listing"), bytes);
        return DigestListing.open(files, new org.apache.hadoop.fs.Path(file.toUri()));
    }

    private List<String> paths(byte[] bytes) throws IOException {
        List<String> paths = new ArrayList<>();
        try (DigestListing listing = open(bytes)) {
            listing.readAll(file -> paths.add(file.path()));
        }
        return paths;
    }

    @Test
    void theGoldenListingIsWrittenAndReadAsItWas() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        ListingWriter writer = new ListingWriter(written);
        for (String path : PATHS) {
            BytesWritable entry = TaskRecords.of(listed(path)::write);
            writer.add(ByteBuffer.wrap(entry.getBytes(), 0, entry.getLength()));
        }
        assertThat(writer.finish()).isEqualTo(golden.length);
        assertThat(written.toByteArray()).isEqualTo(golden);
        assertThat(paths(golden)).isEqualTo(PATHS);
        try (DigestListing listing = open(golden)) {
            for (String path : PATHS) {
                ListedFile found = listing.find(path).orElseThrow();
                assertThat(found.path()).isEqualTo(path);
                assertThat(found.blocks()).isEqualTo(listed(path).blocks());
                assertThat(found.manifest().chunks()).isEqualTo(manifest.chunks());
            }
            for (String path : List.of("/", "/data/C", "/data/bb", "/data/ö")) {
                assertThat(listing.find(path)).isEmpty();
            }
        }
    }

    @Test
    void aBitThatIsAnotherAnywhereIsFoundAndSoIsAnEndThatIsGone() {
        for (int at = 0; at < golden.length; at++) {
            byte[] flipped = golden.clone();
            flipped[at] ^= (byte) (1 << at % Byte.SIZE);
            assertThatThrownBy(() -> paths(flipped)).as("flipped at " + at).isInstanceOf(DamagedDataException.class);
        }
        for (int length = 0; length < golden.length; length += 7) {
            byte[] cut = Arrays.copyOf(golden, length);
            assertThatThrownBy(() -> paths(cut)).as("cut at " + length).isInstanceOf(DamagedDataException.class);
        }
    }

    @Test
    void damageIsNamedWithItsOffset() {
        byte[] flipped = golden.clone();
        int digest = ListingFormat.HEADER_BYTES + Short.BYTES + 7 + Fingerprint.BYTES + Integer.BYTES + 120;
        flipped[digest] ^= 1;
        int manifestBytes = ManifestCodec.encode(manifest).length;
        assertThatThrownBy(() -> paths(flipped))
                .hasMessageEndingWith("damaged at offset " + (61 + manifestBytes - Fingerprint.BYTES)
                        + ": the SHA-256 does not match");
        byte[] version = golden.clone();
        version[9] = 2;
        assertThatThrownBy(() -> paths(version))
                .hasMessageContaining("damaged at offset 8: version 2 of a listing: this reader knows 1");
    }
}
