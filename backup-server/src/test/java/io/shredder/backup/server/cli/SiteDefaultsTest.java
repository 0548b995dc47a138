// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteDefaultsTest {

    @TempDir
    private Path folder;

    private Path config;

    @BeforeEach
    void write() throws IOException {
        config = Files.writeString(
                folder.resolve("site.yaml"),
                """
                version: 1
                agent: {address: "backup.example.org:7420", certificate: c.crt, key: c.key, authority: ca.crt}
                repository-key: {file: b.key, secret-file: b.secret}
                state: /var/lib/x
                jobs:
                  nightly:
                    images:
                      vm: {file: /srv/vm.img}
                """);
        Files.createFile(folder.resolve("b.key"));
        Files.createFile(folder.resolve("b.secret"));
    }

    private List<String> added(String... words) throws IOException {
        String[] all = SiteDefaults.complete(ShredderBackupMain.commandLine(), words, config);
        assertThat(all).startsWith(words);
        return List.of(all).subList(words.length, all.length);
    }

    @Test
    void agentAndKeyComeFromTheConfiguration() throws IOException {
        assertThat(added("restore", "vm", "--to", "x"))
                .containsExactly(
                        "--agent=backup.example.org:7420",
                        "--cert=" + folder.resolve("c.crt"),
                        "--key=" + folder.resolve("c.key"),
                        "--ca=" + folder.resolve("ca.crt"),
                        "--repository-key=" + folder.resolve("b.key"),
                        "--secret-file=" + folder.resolve("b.secret"));
        assertThat(added("key", "check"))
                .containsExactly(
                        "--repository-key=" + folder.resolve("b.key"), "--secret-file=" + folder.resolve("b.secret"));
    }

    @Test
    void whatIsGivenWinsAllOfAKindTogether() throws IOException {
        assertThat(added("restore", "vm", "--repo", "r")).noneMatch(word -> word.startsWith("--agent"));
        assertThat(added("restore", "vm", "--agent=h:1")).noneMatch(word -> word.startsWith("--cert"));
        assertThat(added("restore", "vm", "--repository-key", "other")).noneMatch(word -> word.startsWith("--secret"));
        assertThat(added("list", "--verification-key=v")).noneMatch(word -> word.startsWith("--repository-key"));
        assertThat(added("restore", "--help")).isEmpty();
        assertThat(added("check-config")).isEmpty();
        assertThat(added("--version")).isEmpty();
        assertThat(added("no-such-command")).isEmpty();
    }

    @Test
    void whoMayNotReadTheKeyDoesWhatNeedsNone() throws IOException {
        Files.delete(folder.resolve("b.secret"));
        assertThat(added("list")).noneMatch(word -> word.startsWith("--repository-key"));
        assertThat(added("list")).anyMatch(word -> word.startsWith("--agent"));
    }

    @Test
    void aWrongConfigurationIsNamed() throws IOException {
        Files.writeString(config, "version: 7\n");
        assertThatThrownBy(() -> added("list")).isInstanceOf(IOException.class);
    }

    @Test
    void theEnvironmentNamesAnother() {
        assertThat(SiteDefaults.file(Map.of(SiteDefaults.VARIABLE, config.toString())))
                .contains(config);
        assertThat(SiteDefaults.file(Map.of(SiteDefaults.VARIABLE, ""))).isEmpty();
        assertThat(SiteDefaults.file(Map.of(SiteDefaults.VARIABLE, "/no/such/file")))
                .isEmpty();
    }
}
