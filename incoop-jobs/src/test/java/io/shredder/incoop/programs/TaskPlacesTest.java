// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two containers of one job, on two disks: what is the same in both has the same name. */
class TaskPlacesTest {

    @TempDir
    Path node;

    private TaskPlaces one = TaskPlaces.ofThisJvm();
    private TaskPlaces two = TaskPlaces.ofThisJvm();

    @BeforeEach
    void startContainers() throws IOException {
        one = container("disk1", "app_1", "container_1", "10");
        two = container("disk2", "app_2", "container_7", "23");
    }

    private Path application(String disk, String application) {
        return node.resolve(disk).resolve("usercache/me/appcache").resolve(application);
    }

    private TaskPlaces container(String disk, String application, String container, String number) throws IOException {
        Path working = Files.createDirectories(application(disk, application).resolve(container));
        Path brought = Files.createDirectories(
                application("disk2", application).resolve("filecache").resolve(number));
        Files.createSymbolicLink(working.resolve("map.py"), Files.writeString(brought.resolve("map.py"), "pass\n"));
        Map<String, String> environment = Map.of(
                "CONTAINER_ID", container,
                "LOCAL_DIRS", application("disk1", application) + "," + application("disk2", application),
                "LOG_DIRS", node.resolve("logs") + "/" + application + "/" + container);
        return TaskPlaces.of(environment, working);
    }

    private String name(TaskPlaces places, String path) {
        return places.name(node.resolve(path)).orElse("none");
    }

    @Test
    void theWorkingFolderAndWhatWasBroughtHaveNamesThatStay() throws IOException {
        assertThat(name(one, "disk1/usercache/me/appcache/app_1/container_1/x")).isEqualTo("./x");
        assertThat(name(two, "disk2/usercache/me/appcache/app_2/container_7/x")).isEqualTo("./x");
        assertThat(name(one, "disk2/usercache/me/appcache/app_1/filecache/10/lib.py"))
                .isEqualTo("@map.py/lib.py");
        assertThat(name(two, "disk2/usercache/me/appcache/app_2/filecache/23/lib.py"))
                .isEqualTo("@map.py/lib.py");

        assertThat(two.path("./x").normalize())
                .isEqualTo(node.resolve("disk2/usercache/me/appcache/app_2/container_7/x"));
        assertThat(two.path("@map.py/lib.py"))
                .isEqualTo(node.resolve("disk2/usercache/me/appcache/app_2/filecache/23/lib.py"));
        assertThat(two.path("@map.py")).isEqualTo(node.resolve("disk2/usercache/me/appcache/app_2/filecache/23"));
        assertThat(two.path("/etc/passwd")).isEqualTo(Path.of("/etc/passwd"));
    }

    @Test
    void aFolderThatContainersShareLooksTheSameOnWhicheverDiskItLies() throws IOException {
        for (String name : new String[] {"./../..", "@map.py/../../.."}) {
            assertThat(one.shownFolder(one.path(name).normalize()))
                    .isEqualTo(two.shownFolder(two.path(name).normalize()));
        }
        assertThat(one.shownFolder(node.resolve("disk1/usercache/me/appcache/app_1/container_1/own")))
                .isEqualTo("./own");
        assertThat(one.shownFolder(Path.of("/usr/lib"))).isEqualTo("/usr/lib");
    }

    @Test
    void foldersAboveThemAreNamedFromThem() {
        assertThat(name(one, "disk1/usercache/me/appcache")).isEqualTo("./../..");
        assertThat(name(two, "disk2/usercache/me/appcache")).isEqualTo("./../..");
        assertThat(name(one, "disk2/usercache/me/appcache/app_1/filecache")).isEqualTo("@map.py/..");
        assertThat(name(one, "disk1")).isEqualTo("./../../../../..");
        assertThat(name(one, "")).isEqualTo(node.toString());
        assertThat(one.isShared(node.resolve("disk1/usercache/me/appcache/app_1")))
                .isTrue();
        assertThat(one.isShared(node.resolve("disk2/usercache/me/appcache/app_1/filecache/10")))
                .isFalse();
    }

    /** A NodeManager makes a folder in each of its own every two minutes, and removes it, to see that disks work. */
    @Test
    void timesOfTheFoldersInWhichANodeManagerLooksAfterItsDisksAreItsOwn() {
        for (String disk : new String[] {"disk1", "disk2"}) {
            assertThat(one.isOfContainer(node.resolve(disk))).isTrue();
            assertThat(one.shownFolder(node.resolve(disk))).isEqualTo("shared");
        }
        assertThat(one.isOfContainer(node)).isFalse();
    }

    @Test
    void whatBelongsToOtherContainersOrToLogsHasNoName() {
        assertThat(name(one, "disk1/usercache/me/appcache/app_1/container_2/x")).isEqualTo("none");
        assertThat(name(one, "disk2/usercache/me/appcache/app_1/filecache/10/../11/x"))
                .isEqualTo("none");
        assertThat(name(one, "logs/app_1/container_1/stdout")).isEqualTo("none");
        assertThat(name(one, "data/table")).isEqualTo(node.resolve("data/table").toString());
        assertThat(one.isOfContainer(node.resolve("data/table"))).isFalse();
    }

    @Test
    void whatWasNotBroughtCannotBeFound() {
        assertThatThrownBy(() -> one.path("@other.py/x"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("@other.py");
    }

    @Test
    void outsideAContainerOnlyTheWorkingFolderIsNamedFromItself() {
        Path working = node.resolve("here");
        TaskPlaces client = TaskPlaces.of(Map.of("LOCAL_DIRS", node.toString()), working);

        assertThat(client.name(working.resolve("x"))).contains("./x");
        assertThat(client.name(node)).contains(node.toString());
        assertThat(client.isOfContainer(working)).isFalse();
    }

    @Test
    void theEnvironmentsOfContainersDifferInWhatTellsOfThemOnly() {
        Map<String, String> first = Map.of(
                "CONTAINER_ID", "container_1",
                "NM_PORT", "1",
                "LD_LIBRARY_PATH", application("disk1", "app_1").resolve("container_1") + ":/lib",
                "LANG", "C");
        Map<String, String> second = Map.of(
                "CONTAINER_ID", "container_7",
                "NM_PORT", "2",
                "LD_LIBRARY_PATH", application("disk2", "app_2").resolve("container_7") + ":/lib",
                "LANG", "C");
        String digest = InheritedEnvironment.digest(first, one);

        assertThat(InheritedEnvironment.digest(second, two)).isEqualTo(digest);
        assertThat(InheritedEnvironment.digest(Map.of("LANG", "C"), one)).isNotEqualTo(digest);
        for (String name : new String[] {"NM_OTHER", "APPLICATION_MINE", "PRELAUNCH_MINE", "LOG_DIRS_MINE"}) {
            assertThat(InheritedEnvironment.digest(Map.of(name, "1"), one))
                    .as(name)
                    .isNotEqualTo(InheritedEnvironment.digest(Map.of(name, "2"), one));
        }
    }
}
