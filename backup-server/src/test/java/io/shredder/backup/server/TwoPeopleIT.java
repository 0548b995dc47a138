// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deletions that need two people, by the commands that they type, with real certificates and an agent's process. */
class TwoPeopleIT {

    private static final String ADMIN = "site1-admin";
    private static final String SECOND = "site1-second";

    @TempDir
    private Path folder;

    private Sites sites;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        Path rights = Files.writeString(
                folder.resolve("rights.yaml"),
                """
                clients:
                  site1: {rights: [append, restore]}
                  site1-admin: {namespace: site1, rights: [restore, prune, confirm]}
                  site1-second: {namespace: site1, rights: [confirm]}
                namespaces:
                  site1: {delete-needs: confirm}
                """);
        sites.serveWith("--rights", rights.toString());
        sites.startAgent();
        for (int i = 1; i <= 3; i++) {
            Path image = folder.resolve("image" + i);
            Sites.random(image, new Random(i), 200_000);
            Sites.Result result = sites.here("backup", image.toString(), "--name", "vm");
            assertThat(result.exitCode()).as(result.err()).isZero();
        }
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private String ok(int exitCode, String client, String... arguments) {
        Sites.Result result = sites.as(client, arguments);
        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(exitCode);
        return result.out();
    }

    private void fails(String error, String client, String... arguments) {
        Sites.Result result = sites.as(client, arguments);
        assertThat(result.err()).contains(error);
        assertThat(result.exitCode()).isEqualTo(1);
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    @Test
    void aPruneWaitsForTheSecondPersonAndIsThenDoneAsItWasAskedFor() throws IOException {
        String[] prune = {"prune", "--keep-last", "1"};
        assertThat(ok(4, ADMIN, prune))
                .contains("deleted 0 snapshots")
                .contains("waits for confirmation: request 1 for 2 snapshots, until 20")
                .contains("'shredder-backup confirm 1'");
        JsonNode again = json(ok(4, ADMIN, "prune", "--keep-last", "1", "--json"));
        assertThat(again.get("deleted")).isEmpty();
        assertThat(again.get("waiting")).hasSize(1);
        assertThat(again.get("waiting").get(0).get("request").asLong()).isEqualTo(1);
        sites.stopAgent();
        sites.startAgent();
        assertThat(ok(0, SECOND, "pending"))
                .contains("request 1  by site1-admin, asked 20")
                .contains(": delete 2 snapshots")
                .contains("200.0 kB");
        JsonNode pending = json(ok(0, SECOND, "pending", "--json")).get("pending");
        assertThat(pending).hasSize(1);
        assertThat(pending.get(0).get("snapshots").get(1).get("id").asLong()).isEqualTo(2);
        fails("asked for request 1 itself", ADMIN, "confirm", "1");
        fails("lacks the right 'confirm'", "site1", "confirm", "1");
        assertThat(ok(0, SECOND, "list").lines()).hasSize(3);
        JsonNode confirmed = json(ok(0, SECOND, "confirm", "1", "--json"));
        assertThat(confirmed.get("deleted")).hasSize(2);
        assertThat(ok(0, SECOND, "list").lines()).hasSize(1);
        ok(0, ADMIN, "gc", "--min-garbage", "0");
        ok(0, ADMIN, prune);
        Path to = folder.resolve("restored");
        ok(0, "site1", "restore", "vm", "--to", to.toString());
        assertThat(Files.mismatch(to, folder.resolve("image3"))).isEqualTo(-1);
        assertThat(Files.readString(sites.repository().resolve("audit.log")))
                .contains("\"event\":\"deletion-asked\",\"client\":\"site1-admin\"")
                .contains("\"event\":\"refused\",\"client\":\"site1-admin\"")
                .contains("\"request\":1,\"confirmedBy\":\"site1-second\"");
    }

    @Test
    void aRequestThatIsWithdrawnIsNotDone() {
        ok(4, ADMIN, "prune", "--id", "1");
        assertThat(ok(0, SECOND, "withdraw", "1")).contains("withdrew request 1");
        fails("no request 1 waits", SECOND, "confirm", "1");
        fails("no request 1 waits", ADMIN, "withdraw", "1");
        assertThat(ok(0, ADMIN, "pending")).isEmpty();
        assertThat(ok(0, ADMIN, "list").lines()).hasSize(3);
    }

    @InTurn(days = 3)
    @Test
    void aCertificateThatIsRevokedConfirmsNothingThoughItsConnectionIsOpen() throws IOException {
        Path certs = folder.resolve("certs");
        revoke("site1");
        sites.stopAgent();
        sites.serveWith(
                "--rights",
                folder.resolve("rights.yaml").toString(),
                "--crl",
                certs.resolve("ca.crl").toString());
        sites.startAgent();
        ok(4, ADMIN, "prune", "--id", "1");
        TlsFiles second = new TlsFiles(
                certs.resolve("client-site1-second.crt"),
                certs.resolve("client-site1-second.key"),
                certs.resolve("ca.crt"));
        try (AgentClient open = AgentClient.connect(new HostPort("127.0.0.1", sites.port()), second)) {
            PendingDeletion asked = open.pending(0).orElseThrow();
            revoke(SECOND);
            Assertions.assertThatThrownBy(() -> open.confirm(asked))
                    .isInstanceOf(AgentException.class)
                    .hasMessageContaining("its certificate is revoked");
        }
        fails("is revoked", SECOND, "confirm", "1");
        assertThat(ok(0, ADMIN, "list").lines()).hasSize(3);
    }

    private void revoke(String client) throws IOException {
        Path certs = folder.resolve("certs");
        Sites.Result made = sites.agentCommand(
                "certs",
                "--out",
                certs.toString(),
                "--revoke",
                certs.resolve("client-" + client + ".crt").toString());
        assertThat(made.exitCode()).as(made.err()).isZero();
    }
}
