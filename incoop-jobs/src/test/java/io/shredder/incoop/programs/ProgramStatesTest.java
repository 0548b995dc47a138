// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramStatesTest {

    private final ProgramStates states = ProgramStates.of(new Configuration(false));

    @TempDir
    Path folder;

    @Test
    void theTimesOfAFolderThatChangesDoNotCountHoweverItIsNamed() throws Exception {
        for (String how : new String[] {"link ", "ask "}) {
            String name = how + folder + "/..";
            String before = states.now(name);
            Files.delete(Files.createTempFile("changing", ""));
            assertThat(states.now(name)).as(name).isEqualTo(before);
        }
    }

    /** A shell asks for them to see whether PWD is right. */
    @Test
    void theTimesOfFoldersAroundTheWorkingFolderDoNotCount() throws Exception {
        Path around = Path.of("..").toRealPath();
        FileTime time = Files.getLastModifiedTime(around);
        for (String how : new String[] {"link ", "ask "}) {
            String before = states.now(how + around);
            Files.setLastModifiedTime(around, FileTime.fromMillis(time.toMillis() - 5000));
            assertThat(states.now(how + around)).as(how).isEqualTo(before);
            assertThat(ProgramStates.isChanging(around)).isTrue();
            Files.setLastModifiedTime(around, time);
        }
        assertThat(ProgramStates.isChanging(Path.of("src"))).isFalse();
    }

    @Test
    void thoseOfAnotherFolderCount() throws Exception {
        Path own = Files.createDirectory(folder.resolve("own"));
        for (String how : new String[] {"link ", "ask "}) {
            String before = states.now(how + own);
            Files.createTempFile(own, "new", "");
            assertThat(states.now(how + own)).as(how).isNotEqualTo(before);
        }
    }
}
