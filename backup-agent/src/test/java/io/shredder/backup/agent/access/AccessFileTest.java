// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.config.ConfigException;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessFileTest {

    private static final SnapshotName SITE = new SnapshotName("site1");
    private static final SnapshotName ADMIN = new SnapshotName("site1-admin");

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("rights.yaml"), text);
    }

    private AccessRules read(String text) throws IOException {
        return AccessFile.open(file(text)).current();
    }

    private void assertRefused(String text, String... problems) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(ConfigException.class).satisfies(e -> {
            assertThat(((ConfigException) e).problems())
                    .zipSatisfy(List.of(problems), (found, expected) -> assertThat(found)
                            .startsWith(folder.resolve("rights.yaml") + ":" + expected));
        });
    }

    @Test
    void withoutAFileEverybodyMayAppendAndRestoreAndNobodyMayDelete() {
        ClientAccess anybody = AccessFile.none().current().of(SITE).orElseThrow();
        assertThat(anybody.rights()).containsExactlyInAnyOrder(Right.APPEND, Right.RESTORE);
        assertThat(anybody.namespace()).isEqualTo(SITE);
        assertThat(anybody.maxImageBytes()).isEmpty();
    }

    @Test
    void aNamedClientGetsWhatTheFileSaysAndAnotherNothing() throws IOException {
        AccessRules rules = read(
                """
                clients:
                  site1:
                    rights: [append]
                    quota: 2t
                  site1-admin:
                    namespace: site1
                    rights: [restore, prune]
                    min-age-days: 7
                """);
        assertThat(rules.of(SITE).orElseThrow().rights()).containsExactly(Right.APPEND);
        assertThat(rules.of(SITE).orElseThrow().maxImageBytes()).isEqualTo(OptionalLong.of(2L << 40));
        ClientAccess admin = rules.of(ADMIN).orElseThrow();
        assertThat(admin.namespace()).isEqualTo(SITE);
        assertThat(admin.rights()).contains(Right.PRUNE);
        assertThat(admin.rights()).doesNotContain(Right.APPEND);
        assertThat(admin.minAge()).isEqualTo(Duration.ofDays(7));
        assertThat(rules.of(new SnapshotName("stranger"))).isEmpty();
    }

    @Test
    void whoMayKeepIsNobodyAtAnAgentAndNoOtherRightMakesAKeepersAgent() throws IOException {
        AccessRules rules = read("clients: {agent1: {rights: [keep]}, site1: {rights: [append, restore, prune]}}");
        SnapshotName agent = new SnapshotName("agent1");
        assertThat(rules.mayKeep(agent)).isTrue();
        assertThat(rules.of(agent)).isEmpty();
        assertThat(rules.mayKeep(SITE)).isFalse();
        assertThat(rules.mayKeep(new SnapshotName("stranger"))).isFalse();
        assertThat(AccessFile.none().current().mayKeep(SITE)).isFalse();
        assertRefused(
                """
                clients:
                  agent1: {rights: [keep, restore]}
                  agent2: {rights: [keep], quota: 1t}
                others: {rights: [keep]}
                """,
                "2:11: keep stands alone: use a certificate of its own for what needs it",
                "3:11: keep stands alone: use a certificate of its own for what needs it",
                "4:18: keep is for clients that are named: name each of them");
    }

    @Test
    void whoMayBorrowIsNobodyAnywhereElse() throws IOException {
        AccessRules rules =
                read("clients: {engine1: {rights: [borrow]}, agent1: {rights: [keep]}, site1: {rights: [append]}}");
        SnapshotName engine = new SnapshotName("engine1");
        assertThat(rules.mayBorrow(engine)).isTrue();
        assertThat(rules.mayKeep(engine)).isFalse();
        assertThat(rules.of(engine)).isEmpty();
        assertThat(rules.mayBorrow(new SnapshotName("agent1"))).isFalse();
        assertThat(rules.mayBorrow(SITE)).isFalse();
        assertRefused(
                """
                clients:
                  engine1: {rights: [borrow, keep]}
                others: {rights: [borrow]}
                """,
                "2:12: keep stands alone: use a certificate of its own for what needs it",
                "3:18: borrow is for clients that are named: name each of them");
    }

    @Test
    void othersGetTheirOwnNamespace() throws IOException {
        ClientAccess other =
                read("others: {rights: [append], quota: 1k}").of(SITE).orElseThrow();
        assertThat(other.namespace()).isEqualTo(SITE);
        assertThat(other.rights()).containsExactly(Right.APPEND);
        assertThat(other.maxImageBytes()).hasValue(1024);
    }

    @Test
    void everythingThatIsWrongIsNamedAtOnceWithItsLine() {
        assertRefused(
                """
                clients:
                  site1:
                    rights: [append, delete]
                    quotta: 5
                  bad/name:
                    rights: []
                  third:
                    quota: lots
                    min-age-days: -1
                extra: 1
                """,
                "3:22: 'clients.site1.rights': 'delete' is no right: use append, restore, prune, confirm, keep or borrow",
                "4:5: unknown key 'clients.site1.quotta': did you mean 'quota'?",
                "6:5: a client's name 'bad/name' is not allowed",
                "6:13: 'clients.bad/name.rights' is an empty list: write [append, restore]",
                "8:5: rights are missing: give some of append, restore, prune, confirm",
                "8:12: 'clients.third.quota': 'lots' is not a size",
                "9:19: 'clients.third.min-age-days': '-1' is not a number of days from 0 to 36500",
                "10:1: unknown key 'extra'");
    }

    @Test
    void aNamespacesDeletionsWaitWhoeverAsksForThem() throws IOException {
        AccessRules rules = read(
                """
                clients:
                  site1-admin: {namespace: site1, rights: [prune]}
                  site1-other: {namespace: site1, rights: [prune, confirm]}
                  site1-third: {namespace: site1, rights: [confirm]}
                  site2: {rights: [prune]}
                others: {rights: [append, prune]}
                namespaces:
                  site1: {delete-needs: confirm, confirm-within-hours: 36}
                """);
        for (String client : List.of("site1-admin", "site1-other", "site1-third", "site1")) {
            assertThat(rules.of(new SnapshotName(client)).orElseThrow().confirmWithin())
                    .as(client)
                    .contains(Duration.ofHours(36));
        }
        assertThat(rules.of(new SnapshotName("site2")).orElseThrow().confirmWithin())
                .isEmpty();
        assertThat(rules.of(new SnapshotName("stranger")).orElseThrow().confirmWithin())
                .isEmpty();
    }

    @Test
    void aDeletionMayWaitADayIfNothingElseIsSaid() throws IOException {
        AccessRules rules = read("clients:\n  a: {rights: [confirm]}\nnamespaces: {a: {delete-needs: confirm}}");
        assertThat(rules.of(new SnapshotName("a")).orElseThrow().confirmWithin())
                .contains(Duration.ofHours(24));
    }

    @Test
    void confirmationsThatNobodyCouldGiveAreMistakes() {
        assertRefused(
                """
                clients:
                  a: {rights: [prune, confirm]}
                namespaces:
                  a:
                    delete-needs: confirm
                  b: {}
                  c:
                    delete-needs: two
                    confirm-within-hours: 0
                """,
                "5:5: nobody could confirm what client a deletes: give another client of the namespace the right confirm",
                "6:6: delete-needs is missing",
                "8:19: 'namespaces.c.delete-needs': 'two' is nothing that a deletion can need: use confirm",
                "9:27: 'namespaces.c.confirm-within-hours': '0' is not a number of hours from 1 to 2160");
    }

    @Test
    void whatIsNoYamlOrHasAnotherShapeIsRefusedWithTheLine() {
        assertRefused("", "1:1: the configuration is empty");
        assertRefused("clients: [", "1:11: not YAML: ");
        assertRefused("- a", "1:1: the configuration should hold keys and their values");
        assertRefused("clients:\n  site1: {rights: append}", "2:19: 'clients.site1.rights' should be a list of words");
        assertRefused(
                "clients:\n  a: {rights: [append]}\n  a: {rights: [prune]}", "3:3: key 'clients.a' is there twice");
    }

    @Test
    void aChangedFileCountsFromTheNextQuestionOnAndAWrongOneDoesNot() throws IOException {
        Path file = file("clients: {site1: {rights: [append]}}");
        AccessFile access = AccessFile.open(file);
        assertThat(access.current().of(SITE).orElseThrow().rights()).doesNotContain(Right.PRUNE);
        file("clients: {site1: {rights: [append, prune]}}");
        assertThat(access.current().of(SITE).orElseThrow().rights()).contains(Right.PRUNE);
        file("clients: {site1: {rights: [everything!]}}");
        assertThat(access.current().of(SITE).orElseThrow().rights()).contains(Right.PRUNE);
        Files.delete(file);
        assertThat(access.current().of(SITE)).isPresent();
        file("clients: {site1: {rights: [restore]}}");
        assertThat(access.current().of(SITE).orElseThrow().rights()).containsExactly(Right.RESTORE);
    }
}
