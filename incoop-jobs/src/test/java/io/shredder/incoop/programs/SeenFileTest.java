// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.programs.SeenFile.How;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SeenFileTest {

    @TempDir
    private Path folder;

    private static SeenFile seen(How how, Path path) throws IOException {
        return new SeenFile(how, path, UnixAttributes.of(path).stamp());
    }

    /** As it is on the way to a script, each step of which a program may ask about. */
    @ParameterizedTest
    @EnumSource(
            value = How.class,
            names = {"ASK", "LINK"})
    void whatOthersDoInTheFolderOfTemporaryFilesChangesNothingForWhoOnlyPassesIt(How how) throws IOException {
        Path passed = Path.of(System.getProperty("java.io.tmpdir"));
        SeenFile seen = seen(how, passed);
        Files.delete(Files.createTempFile(passed, "seen", ".file"));
        assertThat(seen.isUnchanged()).isTrue();
    }

    @Test
    void whoListsAFolderSeesThatItHasChanged() throws IOException {
        SeenFile seen = seen(How.LIST, folder);
        Files.createFile(folder.resolve("another"));
        assertThat(seen.isUnchanged()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = How.class,
            names = {"ASK", "LINK"})
    void anyOtherFolderHasChangedWithItsTime(How how) throws IOException {
        SeenFile seen = seen(how, folder);
        Files.createFile(folder.resolve("another"));
        assertThat(seen.isUnchanged()).isFalse();
    }
}
