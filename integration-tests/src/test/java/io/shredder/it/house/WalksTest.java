// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalksTest {
    @TempDir
    private Path root;

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void aStepNamesOneFileThatIsThere() throws IOException {
        write("a/One.java", "");
        write("a/Two.java", "");
        write(
                "docs/ARCHITECTURE.md",
                """
                1. Not a walk.

                ### 1. A walk

                1. It begins: [a/One.java].
                2. It goes on, and what it says is so long
                   that the file is named behind: [a/Two.java].
                3. It names none.
                4. It names two: [a/One.java], [a/Two.java].
                5. It names one that isn't there: [a/Gone.java].
                6. It names one that leads nowhere: [a/Other.java].

                ## Another chapter

                1. Not a walk either.

                [a/One.java]: ../a/One.java
                [a/Two.java]: ../a/Two.java
                [a/Gone.java]: ../a/Gone.java
                """);
        Walks walks = Walks.read(root);
        assertThat(walks.walks()).isEqualTo(1);
        assertThat(walks.steps()).isEqualTo(6);
        assertThat(walks.wrong()).hasSize(4).allMatch(step -> step.matches("[3-6]\\. .*"));
    }

    @Test
    void thoseOfThisCheckoutDo() throws IOException {
        Walks walks = Walks.read(Path.of("..").toAbsolutePath().normalize());
        assertThat(walks.walks()).isEqualTo(4);
        assertThat(walks.wrong()).isEmpty();
    }
}
