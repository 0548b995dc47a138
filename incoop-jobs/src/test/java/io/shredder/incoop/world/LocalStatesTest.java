// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStatesTest {

    @TempDir
    Path folder;

    @Test
    void whatAListingTellsCountsThoughAChildLeadsNowhere() throws IOException {
        Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("nowhere"));
        String before = LocalStates.whole(folder);
        Files.writeString(folder.resolve("file"), "content");
        String withFile = LocalStates.whole(folder);
        Files.writeString(folder.resolve("file"), "longer content");

        assertThat(before).startsWith("folder ");
        assertThat(withFile).startsWith("folder ").isNotEqualTo(before);
        assertThat(LocalStates.whole(folder)).startsWith("folder ").isNotEqualTo(withFile);
    }

    @Test
    void whatLinksOfAFolderLeadToCounts() throws IOException {
        Path listed = Files.createDirectory(folder.resolve("listed"));
        Path target = Files.writeString(folder.resolve("target"), "content");
        Path link = Files.createSymbolicLink(listed.resolve("link"), target);
        FileTime time = Files.getLastModifiedTime(listed);
        String before = LocalStates.whole(listed);
        Files.writeString(target, "longer content");
        String changed = LocalStates.whole(listed);
        Files.delete(target);
        String dangling = LocalStates.whole(listed);
        Files.delete(link);
        Files.createSymbolicLink(link, folder.resolve("other"));
        Files.setLastModifiedTime(listed, time);

        assertThat(changed).isNotEqualTo(before);
        assertThat(dangling).isNotEqualTo(changed);
        assertThat(LocalStates.whole(listed)).isNotEqualTo(dangling);
    }

    @Test
    void modeAndTimeOfAFileCount() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "content");
        String before = LocalStates.whole(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        String readOnly = LocalStates.whole(file);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1000));

        assertThat(readOnly).isNotEqualTo(before);
        assertThat(LocalStates.whole(file)).isNotEqualTo(readOnly);
    }

    @Test
    void whereALinkLeadsCountsThoughTheContentIsTheSame() throws IOException {
        Path one = Files.writeString(folder.resolve("one"), "content");
        Path two = Files.writeString(folder.resolve("two"), "content");
        FileTime time = FileTime.fromMillis(1000);
        Files.setLastModifiedTime(one, time);
        Files.setLastModifiedTime(two, time);
        Path link = Files.createSymbolicLink(folder.resolve("link"), one);
        String before = LocalStates.whole(link);
        Files.delete(link);
        Files.createSymbolicLink(link, two);

        assertThat(LocalStates.whole(link)).isNotEqualTo(before);
    }

    @Test
    void whatIsNotThereIsNothing() throws IOException {
        assertThat(LocalStates.whole(folder.resolve("no/file"))).isEqualTo("nothing");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));

        assertThat(LocalStates.whole(link)).startsWith("link to nothing");
    }

    @Test
    void theRealPlaceOfWhatIsNotThereCounts() throws IOException {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), one);
        String before = LocalStates.whole(link.resolve("file"));
        Files.delete(link);
        Files.createSymbolicLink(link, two);

        assertThat(before).startsWith("nothing in ");
        assertThat(LocalStates.whole(link.resolve("file"))).isNotEqualTo(before);
    }
}
