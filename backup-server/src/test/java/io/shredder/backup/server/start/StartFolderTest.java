// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.InTurn;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the jars that the programs run with: those of the test's class path. */
class StartFolderTest {

    private static final String PLACE = "/opt/x y";
    private static final String A_CLASS = "org/bouncycastle/crypto/digests/Blake3Digest.class";

    @TempDir
    private Path folder;

    @InTurn(days = 3)
    @Test
    void librariesLieBesideUnsignedCopiesOfTheSameClasses() throws IOException {
        StartFolder.make(classPath(), folder, PLACE);
        assertThat(names()).contains("libshredder.so", "libjnidispatch.so", "libamazonCorrettoCryptoProvider.so");
        assertThat(Files.readAllLines(folder.resolve("options")))
                .contains("-Djava.library.path=" + PLACE, "-Dshredder.library.path=" + PLACE + "/libshredder.so")
                .anyMatch(line -> line.matches("-DZstdNativePath=" + PLACE + "/libzstd-jni-.*\\.so"));
        Path signed = signedJar();
        Path copy = folder.resolve(signed.getFileName());
        assertThat(Files.readString(folder.resolve("class-path")).strip().split(File.pathSeparator))
                .hasSameSizeAs(classPath())
                .contains(PLACE + "/" + signed.getFileName())
                .doesNotContain(signed.toString());
        try (var before = new JarFile(signed.toFile());
                var after = new JarFile(copy.toFile())) {
            assertThat(read(after, A_CLASS)).isEqualTo(read(before, A_CLASS));
            assertThat(after.getJarEntry(A_CLASS).getCodeSigners()).isNull();
            assertThat(after.getManifest().getEntries()).isEmpty();
            assertThat(after.isMultiRelease()).isEqualTo(before.isMultiRelease());
        }
    }

    @Test
    void aClassThatIsNotTheSignedOneIsRefused(@TempDir Path other) throws IOException {
        Path changed = changedJar(other, A_CLASS);
        assertThatThrownBy(() -> StartFolder.make(withJar(changed), folder, PLACE))
                .isInstanceOf(SecurityException.class)
                .hasMessageContaining(A_CLASS);
    }

    @Test
    void aClassThatWasNeverSignedIsRefused(@TempDir Path other) throws IOException {
        Path changed = changedJar(other, "org/bouncycastle/Added.class");
        assertThatThrownBy(() -> StartFolder.make(withJar(changed), folder, PLACE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(changed.toString())
                .hasMessageContaining("org/bouncycastle/Added.class");
    }

    @Test
    void aJarThatIsMissingIsNamed() {
        assertThatThrownBy(() -> StartFolder.make(List.of("/x/jna-5.jar"), folder, PLACE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("AmazonCorrettoCryptoProvider");
    }

    private static List<String> classPath() {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    }

    private static Path signedJar() {
        return classPath().stream()
                .filter(entry -> entry.contains("bcprov"))
                .map(Path::of)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> withJar(Path jar) {
        return classPath().stream()
                .map(entry -> entry.contains("bcprov") ? jar.toString() : entry)
                .toList();
    }

    /** A copy of a signed jar in which an entry has other bytes. */
    private static Path changedJar(Path folder, String entry) throws IOException {
        Path copy = Files.copy(signedJar(), folder.resolve(signedJar().getFileName()));
        try (FileSystem jar = FileSystems.newFileSystem(copy)) {
            Files.write(jar.getPath(entry), new byte[] {1, 2, 3});
        }
        return copy;
    }

    private static byte[] read(JarFile jar, String entry) throws IOException {
        try (InputStream in = jar.getInputStream(jar.getJarEntry(entry))) {
            return in.readAllBytes();
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }
}
