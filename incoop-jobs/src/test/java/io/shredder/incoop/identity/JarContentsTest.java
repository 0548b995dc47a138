// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Fingerprint;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarContentsTest {

    /** More than fit into the end record's own field. */
    private static final int MANY = 70_000;

    @TempDir
    Path folder;

    @Test
    void oneByteOfOneEntryIsAnotherJar() throws Exception {
        assertThat(digest(jar("a.jar", 3, "", "x")))
                .isPresent()
                .isEqualTo(digest(jar("b.jar", 3, "", "x")))
                .isNotEqualTo(digest(jar("c.jar", 3, "", "y")));
    }

    @Test
    void aCommentHidesNothingThoughItLooksLikeAnEnd() throws Exception {
        String comment = "PK\u0005\u0006" + "c".repeat(40_000);

        assertThat(digest(jar("a.jar", 3, comment, "x")))
                .isPresent()
                .isNotEqualTo(digest(jar("b.jar", 3, comment, "y")));
    }

    @Test
    void aJarBehindAScriptIsRead() throws Exception {
        Path script = behindScript(jar("a.jar", 3, "", "x"), "script-a.jar");
        Path other = behindScript(jar("b.jar", 3, "", "y"), "script-b.jar");

        assertThat(digest(script)).isPresent().isNotEqualTo(digest(other));
    }

    @Test
    void aJarOfTheLargeFormatIsRead() throws Exception {
        Optional<Fingerprint> one = digest(jar("a.jar", MANY, "", "x"));
        Path other = jar("b.jar", MANY, "", "y");

        assertThat(one).isPresent().isNotEqualTo(digest(other));
        assertThat(digest(largeWithFieldsOnlyThere(other))).isPresent();
    }

    @Test
    void whatIsNoJarCountsByAllItsBytes() throws Exception {
        Path empty = Files.createFile(folder.resolve("empty.jar"));
        Path text = Files.writeString(folder.resolve("text.jar"), "no jar at all, though it is called one");
        Path torn = jar("torn.jar", 3, "", "x");
        byte[] bytes = Files.readAllBytes(torn);
        Files.write(torn, Arrays.copyOf(bytes, bytes.length - 5));

        for (Path file : new Path[] {empty, text, torn}) {
            assertThat(digest(file)).isEmpty();
            Fingerprint before = CodeDigests.of(file, Set.of());
            Files.writeString(file, "z", StandardOpenOption.APPEND);
            assertThat(CodeDigests.of(file, Set.of())).isNotEqualTo(before);
        }
    }

    @Test
    void anEndThatPointsOutsideTheFileIsRefused() throws Exception {
        Path jar = jar("a.jar", 3, "", "x");
        byte[] bytes = Files.readAllBytes(jar);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes.length - 22 + 12, 0x7fffffff);
        Files.write(jar, bytes);

        assertThat(digest(jar)).isEmpty();
    }

    private static Optional<Fingerprint> digest(Path jar) throws IOException {
        return JarContents.of(jar).map(JarContents::digest);
    }

    /** The end record's own size and offset say that the values stand elsewhere. */
    private Path largeWithFieldsOnlyThere(Path jar) throws IOException {
        byte[] bytes = Files.readAllBytes(jar);
        ByteBuffer end = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        end.putInt(bytes.length - 22 + 12, -1);
        end.putInt(bytes.length - 22 + 16, -1);
        return Files.write(folder.resolve("large.jar"), bytes);
    }

    private Path behindScript(Path jar, String name) throws IOException {
        Path script = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(script)) {
            out.write("#!/bin/sh\nexec java -jar \"$0\"\n".getBytes(StandardCharsets.US_ASCII));
            Files.copy(jar, out);
        }
        return script;
    }

    private Path jar(String name, int entries, String comment, String last) throws IOException {
        Path jar = folder.resolve(name);
        try (ZipOutputStream out = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(jar)))) {
            out.setComment(comment);
            out.setMethod(ZipOutputStream.DEFLATED);
            for (int i = 0; i < entries; i++) {
                ZipEntry entry = new ZipEntry("e" + i);
                entry.setTime(0);
                out.putNextEntry(entry);
                out.write((i == entries - 1 ? last : "").getBytes(StandardCharsets.US_ASCII));
                out.closeEntry();
            }
        }
        return jar;
    }
}
