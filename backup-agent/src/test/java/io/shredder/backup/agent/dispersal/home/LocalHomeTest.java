// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.dispersal.Keeper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalHomeTest {

    @TempDir
    private Path folder;

    @Test
    void itIsReadByAllAndHeldByOne() throws IOException {
        LocalHome home = new LocalHome(folder);
        Files.createDirectory(folder.resolve("lost+found"));
        assertThat(home.names()).contains(Set.of());
        assertThat(home.read("keeper")).isEmpty();
        try (HeldHome held = home.hold()) {
            assertThat(held.has("keeper")).isFalse();
            held.storage().replace("keeper", ByteBuffer.wrap(new byte[] {1, 2}));
            held.makeFolder("files");
            held.makeFolder("files");
            assertThat(held.has("keeper")).isTrue();
            assertThat(held.has("files")).isTrue();
            assertThat(home.read("keeper")).contains(ByteBuffer.wrap(new byte[] {1, 2}));
            assertThat(home.names()).contains(Set.of("keeper", "files"));
            assertThat(home.path("files/x")).isEqualTo(folder + "/files/x");
            assertThatThrownBy(home::hold).isInstanceOf(HomeInUseException.class);
            assertThatThrownBy(() -> Keeper.hold(home))
                    .isInstanceOf(OtherKeeperException.class)
                    .hasMessage("keeper " + folder + " is in use by this process already");
            held.storage().create("files/a.part", ByteBuffer.allocate(10)).close();
            held.setModified("files/a.part", Instant.parse("2026-11-26T09:00:00Z"));
            held.rename("files/a.part", "files/a");
            assertThat(held.storage().size("files/a")).isEqualTo(10);
            assertThat(held.storage().lastModified("files/a")).isEqualTo("2026-11-26T09:00:00Z");
            assertThat(held.has("files/a.part")).isFalse();
        }
        home.hold().close();
    }

    @Test
    void oneThatIsNotThereIsNeverMade() throws IOException {
        Path missing = folder.resolve("missing");
        LocalHome home = new LocalHome(missing);
        assertThat(home.names()).isEmpty();
        assertThat(home.read("keeper")).isEmpty();
        assertThatThrownBy(home::hold).isInstanceOf(NoSuchFileException.class);
        assertThat(missing).doesNotExist();
    }

    @Test
    void twoNamesOfOneFolderAreTheSameHome() throws IOException {
        Path other = Files.createSymbolicLink(folder.resolve("other"), Files.createDirectory(folder.resolve("one")));
        LocalHome one = new LocalHome(folder.resolve("one"));
        assertThat(one.isSameAs(new LocalHome(other))).isTrue();
        assertThat(one.isSameAs(new LocalHome(folder))).isFalse();
        assertThat(one.isSameAs(new LocalHome(folder.resolve("missing")))).isFalse();
    }
}
