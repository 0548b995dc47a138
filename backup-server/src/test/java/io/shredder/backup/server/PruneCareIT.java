// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon deletes by rules, with a certificate of its own, and leaves alone what it must: by a real agent. */
class PruneCareIT {

    private static final String RIGHTS = "clients:\n  site1: {rights: [append, restore]}\n"
            + "  site1-admin: {namespace: site1, rights: [restore, prune]%s}\n"
            + "  site1-second: {namespace: site1, rights: [restore, confirm]}\n";

    @TempDir
    private Path folder;

    private Sites sites;
    private Path config;
    private Path rights;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        rights = folder.resolve("rights.yaml");
        rights("");
        sites.serveWith("--rights", rights.toString());
        sites.startAgent();
        config = folder.resolve("server.yaml");
        write("schedule: '* * * * *', missed: run, ", "site1-admin", "");
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private void rights(String ofTheAdmin) throws IOException {
        Files.writeString(rights, String.format(RIGHTS, ofTheAdmin));
    }

    private void write(String ofTheJob, String client, String ofThePrune) throws IOException {
        Path certs = folder.resolve("certs");
        Files.writeString(
                config,
                "version: 1\nstate: state\nmonitoring: 127.0.0.1:0\n" + sites.agentSection()
                        + "jobs:\n  nightly: {" + ofTheJob + "keep: {last: 2}, retry: {times: 0},"
                        + " images: {vm: {file: vm.img}}}\n"
                        + "  others: {images: {db: {file: vm.img}}}\n"
                        + "care:\n  old: {prune: {certificate: " + certs.resolve("client-" + client + ".crt")
                        + ", key: "
                        + certs.resolve("client-" + client + ".key") + ofThePrune + "}}\n");
    }

    private Sites.Result run(String... words) throws IOException {
        return sites.configured(
                Stream.concat(Stream.of("run", "--json", "--config", config.toString()), Stream.of(words))
                        .toArray(String[]::new));
    }

    private void backUp(int times) throws IOException {
        for (int i = 0; i < times; i++) {
            Sites.random(folder.resolve("vm.img"), new Random(i), 1 << 20);
            Sites.Result made = run("nightly", "others");
            assertThat(made.exitCode()).as(made.err()).isZero();
        }
    }

    /** The outcome of the image that has rules. */
    private static JsonNode ofImage(Sites.Result result) throws IOException {
        for (String line : result.out().lines().toList()) {
            JsonNode outcome = new ObjectMapper().readTree(line);
            if (outcome.path("image").asText().equals("vm")) {
                return outcome;
            }
        }
        throw new AssertionError("no outcome of vm: " + result.out() + result.err());
    }

    private static List<String> notes(JsonNode outcome) {
        List<String> lines = new ArrayList<>();
        outcome.path("notes").forEach(line -> lines.add(line.asText()));
        return lines;
    }

    private long snapshots(String image) {
        return sites.here("list", image)
                .out()
                .lines()
                .filter(line -> line.contains(" " + image + " "))
                .count();
    }

    @Test
    void whatNoRuleKeepsGoesAndNothingElse() throws IOException {
        backUp(4);
        Sites.Result tried = run("old", "--dry-run");
        assertThat(tried.exitCode()).as(tried.err()).isZero();
        assertThat(notes(ofImage(tried))).anyMatch(line -> line.startsWith("would delete vm@"));
        assertThat(snapshots("vm")).isEqualTo(4);
        Sites.Result pruned = run("old");
        assertThat(pruned.exitCode()).as(pruned.err()).isZero();
        assertThat(ofImage(pruned).at("/figures/deleted.snapshots").asInt()).isEqualTo(2);
        assertThat(ofImage(pruned).at("/figures/kept.snapshots").asInt()).isEqualTo(2);
        assertThat(notes(ofImage(pruned)))
                .anyMatch(line -> line.startsWith("deleted vm@") && line.contains("no rule keeps it"))
                .anyMatch(line -> line.startsWith("keeps vm@") && line.endsWith(": last"));
        assertThat(snapshots("vm")).isEqualTo(2);
        assertThat(snapshots("db")).as("its job says nothing of what to keep").isEqualTo(4);
        assertThat(ofImage(run("old")).at("/figures/deleted.snapshots").asInt()).isZero();
        assertThat(run("nightly", "--dry-run").err()).contains("'nightly' is a job, and deletes nothing");
    }

    @Test
    void anImageOfWhichAnAlertStandsKeepsAll() throws IOException {
        backUp(4);
        Path alerts = folder.resolve("state/alerts.json");
        String now = Instant.now().toString();
        for (String kind : new String[] {"unlike-before", "image-failed", "image-silent", "changes-untrue"}) {
            Files.writeString(
                    alerts,
                    "{\"version\":1,\"raised\":[{\"kind\":\"" + kind
                            + "\",\"subject\":\"nightly/vm\",\"what\":\"x\",\"since\":\"" + now + "\"}],\"usual\":{}}");
            JsonNode held = ofImage(run("old"));
            assertThat(held.at("/figures/held").asInt()).as(kind).isEqualTo(1);
            assertThat(held.at("/figures/deleted.snapshots").asInt()).isZero();
            assertThat(notes(held)).anyMatch(line -> line.contains(kind + " of nightly/vm"));
        }
        // The night after an encryption is a quiet one, which ends the alert.
        Files.writeString(
                alerts, "{\"version\":1,\"raised\":[],\"unlike\":{\"nightly/vm\":\"" + now + "\"},\"usual\":{}}");
        assertThat(notes(ofImage(run("old")))).anyMatch(line -> line.contains("snapshots stay for 14 days"));
        Files.writeString(alerts, "{\"version\":1,\"raised\":[{");
        Sites.Result unknown = run("old");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.err()).contains("alerts.json is damaged");
        assertThat(snapshots("vm")).isEqualTo(4);
        Files.writeString(
                alerts,
                "{\"version\":1,\"raised\":[{\"kind\":\"image-failed\",\"subject\":\"others/db\",\"what\":\"x\",\"since\":\""
                        + now + "\"}],\"usual\":{}}");
        assertThat(ofImage(run("old")).at("/figures/deleted.snapshots").asInt())
                .as("of another image")
                .isEqualTo(2);
    }

    @Test
    void anImageWhoseBackupIsOverdueOrThatWasFloodedKeepsAll() throws IOException {
        backUp(4);
        write("", "site1-admin", ", max-new: 3");
        Sites.Result flooded = run("old");
        assertThat(flooded.exitCode()).isEqualTo(1);
        assertThat(flooded.err()).contains("4 snapshots came within a day").contains("max-new: 4");
        assertThat(snapshots("vm")).isEqualTo(4);
        write("", "site1-admin", "");
        assertThat(ofImage(run("old")).at("/figures/deleted.snapshots").asInt()).isEqualTo(2);
    }

    @Test
    void whoMayNotDeleteDeletesNothing() throws IOException {
        backUp(3);
        write("", "site1-second", "");
        Sites.Result refused = run("old");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("client-site1-second.crt").contains("needs 'prune'");
        write("", "site1", "");
        assertThat(sites.configured("check-config", "--config", config.toString())
                        .err())
                .contains("the certificate of the backups must not be able to delete");
        assertThat(snapshots("vm")).isEqualTo(3);
    }

    @Test
    void whatTheAgentLocksStaysAndIsNamed() throws IOException {
        backUp(4);
        rights(", min-age-days: 7");
        Sites.Result locked = run("old");
        assertThat(locked.exitCode()).as(locked.err()).isZero();
        assertThat(ofImage(locked).at("/figures/kept.snapshots").asInt()).isEqualTo(4);
        assertThat(notes(ofImage(locked))).anyMatch(line -> line.contains("may not be deleted until it is 7 days old"));
        assertThat(snapshots("vm")).isEqualTo(4);
    }

    @Test
    void aDeletionThatNeedsASecondPersonWaits() throws IOException {
        backUp(4);
        Files.writeString(rights, String.format(RIGHTS, "") + "namespaces: {site1: {delete-needs: confirm}}\n");
        JsonNode waiting = ofImage(run("old"));
        assertThat(waiting.at("/figures/waiting.snapshots").asInt()).isEqualTo(2);
        assertThat(notes(waiting)).anyMatch(line -> line.contains("shredder-backup confirm "));
        assertThat(snapshots("vm")).isEqualTo(4);
        String request = notes(waiting).get(0).replaceFirst("request ([0-9]+) .*", "$1");
        Sites.Result confirmed = sites.as("site1-second", "confirm", request);
        assertThat(confirmed.exitCode()).as(confirmed.err()).isZero();
        assertThat(snapshots("vm")).isEqualTo(2);
    }
}
