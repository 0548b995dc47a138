// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.region.StoredRegion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepositoryTest {

    private static final StoredRegion CHUNK = Samples.sealed(Samples.randomBytes(new Random(1), 500));

    @TempDir
    private Path folder;

    private Repository open(Path root) throws IOException {
        return Repository.open(root, Clock.systemUTC());
    }

    @Test
    void anAbsentOrEmptyFolderBecomesARepositoryAndStaysTheSameOne() throws IOException {
        UUID id;
        try (Repository made = open(folder.resolve("new"))) {
            id = made.id();
        }
        try (Repository again = open(folder.resolve("new"))) {
            assertThat(again.id()).isEqualTo(id);
        }
        Files.createDirectory(folder.resolve("empty"));
        open(folder.resolve("empty")).close();
    }

    @Test
    void aFolderWithOtherThingsIsRefusedAndLeftAlone() throws IOException {
        Files.writeString(folder.resolve("photo.jpg"), "x");
        assertThatThrownBy(() -> open(folder)).hasMessageContaining("is not a repository and not empty");
        assertThat(folder.toFile().list()).containsExactly("photo.jpg");
        assertThatThrownBy(() -> open(folder.resolve("photo.jpg"))).hasMessageContaining("is not a folder");
    }

    @Test
    void aRepositoryInUseIsRefusedAndNamesTheProcess() throws IOException {
        try (Repository held = open(folder.resolve("r"))) {
            assertThat(held.id()).isNotNull();
            assertThatThrownBy(() -> open(folder.resolve("r")))
                    .hasMessageContaining(
                            "is in use by process " + ProcessHandle.current().pid());
        }
        open(folder.resolve("r")).close();
    }

    @Test
    void aCrashWhileTheRepositoryIsMadeLeavesOneThatOpens() throws IOException {
        Path root = Files.createDirectory(folder.resolve("r"));
        Files.writeString(root.resolve("lock"), "1");
        Files.writeString(root.resolve("repository.tmp"), "half");
        open(root).close();
        Files.delete(root.resolve("index/manifest"));
        Files.delete(root.resolve("incoming"));
        open(root).close();
    }

    @Test
    void aLostOrDamagedIndexIsRefusedWithTheRemedyAndTheRemedyWorks() throws IOException {
        Path root = folder.resolve("r");
        try (Repository repository = open(root)) {
            repository.chunks().put(CHUNK);
            repository.chunks().sync();
            repository.chunks().put(Samples.sealed(new byte[777]));
        }
        Path manifest = root.resolve("index/manifest");
        Files.delete(manifest);
        assertThatThrownBy(() -> open(root)).hasMessageContaining("rebuild-index --repo " + root);
        assertThat(AgentMain.run("rebuild-index", "--repo", root.toString())).isZero();
        open(root).close();

        byte[] bad = Files.readAllBytes(manifest);
        bad[70] ^= 1;
        Files.write(manifest, bad);
        assertThatThrownBy(() -> open(root))
                .hasMessageContaining("index/manifest: damaged at offset 64")
                .hasMessageContaining("rebuild-index --repo " + root);
        assertThat(AgentMain.run("rebuild-index", "--repo", root.toString())).isZero();
        try (Repository repository = open(root)) {
            assertThat(repository.chunks().index().size()).isEqualTo(2);
        }
    }

    @Test
    void theIndexKeyLiesBesideTheFolderAndIsAskedForWhenItIsLostOrAnother() throws IOException {
        Path root = folder.resolve("r");
        try (Repository repository = open(root)) {
            repository.chunks().put(CHUNK);
        }
        Path key = folder.resolve("r.index-key");
        Path kept = Files.move(key, folder.resolve("kept"));
        assertThatThrownBy(() -> open(root))
                .hasMessageContaining("index key " + key + " is missing")
                .hasMessageContaining("--index-key");
        Repository.open(StorePlace.local(root), kept, Clock.systemUTC()).close();
        open(folder.resolve("other")).close();
        Files.copy(folder.resolve("other.index-key"), key);
        assertThatThrownBy(() -> open(root)).hasMessageContaining("is not the one that the index of " + root);
        assertThat(AgentMain.run("rebuild-index", "--repo", root.toString())).isZero();
        try (Repository repository = open(root)) {
            assertThat(repository.chunks().index().size()).isEqualTo(1);
        }
    }

    @Test
    void anIndexOfVersion1IsRefusedWithTheRemedyAndTheRemedyWorks() throws IOException {
        Path root = folder.resolve("r");
        try (Repository repository = open(root)) {
            repository.chunks().put(CHUNK);
        }
        Files.move(root.resolve("index/manifest"), root.resolve("index/index.log"));
        assertThatThrownBy(() -> open(root))
                .hasMessageContaining("is of version 1, this program reads version 2")
                .hasMessageContaining("rebuild-index --repo " + root);
        assertThat(AgentMain.run("rebuild-index", "--repo", root.toString())).isZero();
        open(root).close();
        assertThat(root.resolve("index/index.log")).doesNotExist();
    }

    @Test
    void aDamagedRepositoryFileIsRefused() throws IOException {
        Path root = folder.resolve("r");
        open(root).close();
        byte[] good = Files.readAllBytes(root.resolve("repository"));
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= 1;
            Files.write(root.resolve("repository"), bad);
            assertThatThrownBy(() -> open(root))
                    .as("flip at " + at)
                    .hasMessageContaining("repository: damaged at offset");
        }
    }

    @Test
    void aRepositoryOfTheVersionBeforeIsRefusedWithTheRemedy() throws IOException {
        Path root = folder.resolve("r");
        UUID id;
        try (Repository made = open(root)) {
            id = made.id();
        }
        byte[] old =
                new FileHeader(FileHeader.REPOSITORY_MAGIC, 1, 0, id).encode().array();
        Files.write(root.resolve("repository"), old);
        assertThatThrownBy(() -> open(root)).satisfies(e -> assertThat(CommandErrors.describe(e))
                .isEqualTo("repository: it has version 1, this program reads version 2: serve and restore it with the"
                        + " release that made it, and back up into a new repository"));
    }

    @Test
    void aFolderThatLostItsDiskIsNotMadeANewRepository() throws IOException {
        Path root = folder.resolve("r");
        UUID id;
        try (Repository repository = open(root)) {
            id = repository.id();
        }
        Path unmounted = Files.move(root, folder.resolve("unmounted"));
        Path key = folder.resolve("r.index-key");
        String expected = "there is no repository in " + root + ", but its index key " + key + " is there";
        assertThatThrownBy(() -> open(root)).hasMessageContaining(expected);
        assertThat(root).doesNotExist();
        Files.createDirectory(root);
        Files.createDirectory(root.resolve("lost+found"));
        assertThatThrownBy(() -> open(root)).hasMessageContaining(expected);
        assertThat(root.toFile().list()).containsExactly("lost+found");
        Files.delete(root.resolve("lost+found"));
        Files.delete(root);
        Files.move(unmounted, root);
        try (Repository repository = open(root)) {
            assertThat(repository.id()).isEqualTo(id);
        }
        Files.move(root, unmounted);
        Files.delete(key);
        open(root).close();
    }

    @Test
    void aLostHeaderIsNamedAndMadeAgainFromTheContainers() throws IOException {
        Path root = folder.resolve("r");
        open(root).close();
        byte[] header = Files.readAllBytes(root.resolve("repository"));
        Files.delete(root.resolve("repository"));
        String missing = "repository of " + root + ": the file repository is missing, though there is ";
        assertThatThrownBy(() -> open(root)).hasMessageContaining(missing + "catalogue.log");
        assertThat(root.resolve("repository")).doesNotExist();
        assertThat(AgentMain.run("rebuild-index", "--repo", root.toString())).isEqualTo(1);
        Files.write(root.resolve("repository"), header);
        try (Repository repository = open(root)) {
            repository.chunks().put(CHUNK);
        }
        Files.delete(root.resolve("repository"));
        assertThatThrownBy(() -> open(root))
                .hasMessageContaining(missing)
                .hasMessageContaining("rebuild-index --repo " + root);
        assertThat(AgentMain.run("rebuild-index", "--repo", root.toString())).isZero();
        assertThat(Files.readAllBytes(root.resolve("repository"))).isEqualTo(header);
        try (Repository repository = open(root)) {
            assertThat(repository.chunks().index().size()).isEqualTo(1);
        }
    }

    @Test
    void rebuildingSomethingElseIsRefused() {
        assertThat(AgentMain.run("rebuild-index", "--repo", folder.toString())).isEqualTo(1);
        assertThat(AgentMain.run("rebuild-index")).isEqualTo(2);
    }
}
