// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RightsTextTest {

    private static final Set<Right> USUAL = EnumSet.of(Right.APPEND, Right.RESTORE);

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void choose() {
        file = folder.resolve("rights.yaml");
    }

    private boolean add(String client) throws IOException {
        return RightsText.add(file, new SnapshotName(client), USUAL, Optional.empty());
    }

    @Test
    void clientsAreAddedToANewFile() throws IOException {
        Files.writeString(file, RightsText.NEW);
        assertThat(AccessFile.open(file).current().of(new SnapshotName("site1")))
                .isEmpty();
        assertThat(add("site1")).isTrue();
        assertThat(add("site2")).isTrue();
        assertThat(add("site1")).isFalse();
        boolean admin = RightsText.add(
                file,
                new SnapshotName("site1-admin"),
                EnumSet.of(Right.RESTORE, Right.PRUNE),
                Optional.of(new SnapshotName("site1")));
        assertThat(admin).isTrue();
        AccessRules rules = AccessFile.open(file).current();
        assertThat(rules.named()).hasSize(3);
        assertThat(rules.named().get(new SnapshotName("site2")).rights()).isEqualTo(USUAL);
        ClientAccess looksAfter = rules.named().get(new SnapshotName("site1-admin"));
        assertThat(looksAfter.namespace()).isEqualTo(new SnapshotName("site1"));
        assertThat(looksAfter.rights()).containsExactlyInAnyOrder(Right.RESTORE, Right.PRUNE);
    }

    @Test
    void whatSomebodyWroteStays() throws IOException {
        String before =
                """
                # Ours.
                clients: # those of the north
                  old: {rights: [append], quota: 2t}
                others:
                  rights: [append]
                """;
        Files.writeString(file, before);
        assertThat(add("site1")).isTrue();
        assertThat(Files.readString(file)).contains("# Ours.", "  old: {rights: [append], quota: 2t}", "others:");
        assertThat(AccessFile.open(file).current().named()).hasSize(2);
    }

    @Test
    void aFileOfAnotherFormIsLeftAlone() throws IOException {
        String flow = "clients: {old: {rights: [append]}}\n";
        Files.writeString(file, flow);
        assertThatThrownBy(() -> add("site1"))
                .hasMessageContaining("no line 'clients:'")
                .hasMessageContaining("  site1:");
        assertThat(Files.readString(file)).isEqualTo(flow);
    }

    @Test
    void rightsAreReadByTheirWords() {
        assertThat(RightsText.rights(List.of("prune", "restore"))).containsExactly(Right.PRUNE, Right.RESTORE);
        assertThatThrownBy(() -> RightsText.rights(List.of("all"))).hasMessageContaining("'all' is no right");
    }
}
