// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HouseTest {
    @TempDir
    private Path root;

    private void java(String module, String name, String text) throws IOException {
        write(module + "/src/main/java/" + name.replace('.', '/') + ".java", text);
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void packagesThatLeadBackToThemselvesAreFoundAcrossModules() throws IOException {
        java("a", "io.shredder.one.A", "package io.shredder.one;\nimport io.shredder.two.B;\nclass A {}\n");
        java("b", "io.shredder.two.B", "package io.shredder.two;\nclass B { io.shredder.three.C c; }\n");
        java(
                "b",
                "io.shredder.three.C",
                "package io.shredder.three;\nimport static io.shredder.one.A.x;\nclass C {}\n");
        java("b", "io.shredder.three.D", "package io.shredder.three;\nclass D {}\n");
        java("b", "io.shredder.apart.E", "package io.shredder.apart;\nimport io.shredder.one.A;\nclass E {}\n");
        SourceTree tree = SourceTree.read(root);
        assertThat(tree.inCycles()).containsExactly("io.shredder.one", "io.shredder.three", "io.shredder.two");
        assertThat(tree.types()).containsEntry("io.shredder.three", 2).containsEntry("io.shredder.apart", 1);
    }

    @Test
    void commentsTestsAndWhatIsBuiltDontCount() throws IOException {
        java("a", "io.shredder.one.A", "package io.shredder.one;\n/** {@link io.shredder.two.B} */\nclass A {}\n");
        java("a", "io.shredder.one.package-info", "package io.shredder.one;\n");
        java("a", "io.shredder.two.B", "package io.shredder.two;\nimport io.shredder.one.A; // io.shredder.two.B\n");
        java("a/target", "io.shredder.one.F", "package io.shredder.one;\nimport io.shredder.two.B;\n");
        write("a/src/test/java/io/shredder/one/T.java", "package io.shredder.one;\nimport io.shredder.two.B;\n");
        SourceTree tree = SourceTree.read(root);
        assertThat(tree.inCycles()).isEmpty();
        assertThat(tree.types()).containsEntry("io.shredder.one", 1);
    }

    @Test
    void aFileWithoutAPackageIsNamed() throws IOException {
        java("a", "A", "class A {}\n");
        assertThatThrownBy(() -> SourceTree.read(root))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("A.java");
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
}
