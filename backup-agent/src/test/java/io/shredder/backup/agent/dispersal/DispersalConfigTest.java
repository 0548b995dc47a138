// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.LocalHome;
import io.shredder.backup.agent.dispersal.home.RemoteKeepers;
import io.shredder.backup.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DispersalConfigTest {

    @TempDir
    Path folder;

    private DispersalConfig read(String text) throws IOException {
        return DispersalConfig.read(
                Files.writeString(folder.resolve("keepers.yaml"), text), UUID.randomUUID(), RemoteKeepers.NONE);
    }

    private static KeeperHome local(String path) {
        return new LocalHome(Path.of(path));
    }

    @Test
    void yamlAndJsonAreRead() throws IOException {
        DispersalConfig expected =
                new DispersalConfig(2, 1, List.of(local("/disk1/k"), local("/disk2/k"), local("/disk3/k")));
        assertThat(read("data: 2\nparity: 1\nkeepers:\n  - /disk1/k\n  - /disk2/k\n  - /disk3/k/\n"))
                .isEqualTo(expected);
        assertThat(read("{\"data\": 2, \"parity\": 1, \"keepers\": [\"/disk1/k\", \"/disk2/k\", \"/disk3/k\"]}"))
                .isEqualTo(expected);
    }

    @Test
    void foldersOfHadoopFileSystemsAreKeepersToo() throws IOException {
        DispersalConfig config = read("data: 1\nparity: 1\nkeepers: [/disk1/k, 'hdfs://nn:8020/keepers/1/']\n");
        assertThat(config.keepers())
                .extracting(KeeperHome::toString)
                .containsExactly("/disk1/k", "hdfs://nn:8020/keepers/1");
        assertThatThrownBy(() -> read("data: 1\nparity: 1\nkeepers: ['hdfs://nn/k', 'hdfs://nn/k/']\n"))
                .hasMessageContaining("a keeper is named twice");
        assertThatThrownBy(() -> read("data: 1\nparity: 1\nkeepers: ['s3a://b/k', 'file:///k']\n"))
                .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.problems())
                        .anyMatch(problem -> problem.contains("'s3a://b/k' is where no keeper can be"))
                        .anyMatch(problem -> problem.contains("'file:///k' is where no keeper can be")));
        assertThatThrownBy(() -> read("data: 1\nparity: 1\nkeepers: ['hdfs://nn:8020/', /k]\n"))
                .hasMessageContaining("is the root of its file system");
    }

    @Test
    void keepersOnOtherMachinesAreNamedByHostAndPort() throws IOException {
        List<String> asked = new ArrayList<>();
        RemoteKeepers remotes = (host, port, holder) -> {
            asked.add(host + " " + port);
            return local("/remote/" + asked.size());
        };
        Path file = folder.resolve("remote.yaml");
        Files.writeString(
                file, "data: 2\nparity: 1\nkeepers: [/k, 'keep://Keeper1.example:7422/', 'keep://[::1]:7']\n");
        assertThat(DispersalConfig.read(file, remotes).keepers())
                .containsExactly(local("/k"), local("/remote/1"), local("/remote/2"));
        assertThat(asked).containsExactly("keeper1.example 7422", "::1 7");
        String wrong =
                "data: 2\nparity: 1\nkeepers:\n  - keep://host\n  - keep://host:70000\n  - keep://host:7422/files\n";
        assertThatThrownBy(() -> DispersalConfig.read(Files.writeString(file, wrong), remotes))
                .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.problems())
                        .hasSize(3)
                        .allMatch(problem -> problem.contains("is not keep://HOST:PORT, such as keep://keeper1:7422"))
                        .anyMatch(problem -> problem.startsWith(file + ":5:")));
        assertThatThrownBy(() -> read("data: 1\nparity: 1\nkeepers: ['keep://k1:7422', /k]\n"))
                .hasMessageContaining(
                        "keeper keep://k1:7422 wants a certificate: name one with --keeper-cert, --keeper-key and");
    }

    @Test
    void everythingThatIsWrongIsNamedWithItsPlace() {
        assertThatThrownBy(() -> read("data: 0\nparity: x\nkeepers: [disk1]\nkeeprs: 1\n"))
                .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.problems())
                        .anyMatch(problem -> problem.contains("keepers.yaml:1:7: 'data': 0 is not in 1..255"))
                        .anyMatch(problem -> problem.contains(":2:9: 'parity': 'x' is not a number"))
                        .anyMatch(problem -> problem.contains("'disk1' should begin with /"))
                        .anyMatch(problem -> problem.contains("unknown key 'keeprs'")));
        assertThatThrownBy(() -> read("data: 2\nparity: 1\nkeepers: [/a, /b]\n"))
                .hasMessageContaining("2 keepers, and data + parity are 3");
        assertThatThrownBy(() -> read("data: 1\nparity: 1\nkeepers: [/a, /a/]\n"))
                .hasMessageContaining("a keeper is named twice");
        assertThatThrownBy(() -> read("data: 200\nparity: 100\nkeepers: [/a]\n"))
                .hasMessageContaining("at most 256 in all");
        assertThatThrownBy(() -> read("data: 1\nparity: 1\n")).hasMessageContaining("'keepers' is missing");
        assertThatThrownBy(() -> DispersalConfig.read(folder.resolve("none"), UUID.randomUUID(), RemoteKeepers.NONE))
                .hasMessageContaining("isn't there");
    }
}
