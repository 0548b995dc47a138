// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.server.backup.ReadReason;
import io.shredder.backup.server.config.AlertConfig;
import io.shredder.backup.server.config.AlertForm;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.server.job.MachineOutcome;
import io.shredder.backup.server.job.StoreRoom;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a real HTTP server on loopback, and a clock that is set. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class AlertsTest {

    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    /** One that is set by hand. */
    private static final class SetClock extends Clock {
        private Instant now = Instant.parse("2026-11-28T02:30:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public synchronized Instant instant() {
            return now;
        }

        synchronized void advance(Duration time) {
            now = now.plus(time);
        }
    }

    private final SetClock clock = new SetClock();
    private final BlockingQueue<String> posted = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final AtomicInteger refusals = new AtomicInteger();
    private HttpServer web;
    private Alerts alerts;

    @BeforeEach
    void start() throws IOException {
        web = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        web.createContext("/", this::answer);
        web.start();
        alerts = open(AlertForm.JSON);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean refused = refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        if (!refused) {
            (exchange.getRequestMethod().equals("POST") ? posted : asked).add(body);
        }
        exchange.sendResponseHeaders(refused ? 503 : 204, -1);
        exchange.close();
    }

    @AfterEach
    void stop() throws IOException {
        alerts.close();
        web.stop(0);
    }

    private AlertSite site(AlertForm form, Instant certificateEnds) {
        String address = "http://127.0.0.1:" + web.getAddress().getPort();
        var targets = new AlertConfig(
                Optional.of(address + "/hook?key=secret"),
                form,
                Optional.empty(),
                Optional.of(address + "/ping"),
                Optional.of(Duration.ofHours(26)),
                Duration.ofDays(7));
        return new AlertSite(targets, Map.of("nightly", Set.of("vm")), Map.of(), Set.of("nightly"), certificateEnds);
    }

    private Alerts open(AlertForm form) {
        return Alerts.quiet(site(form, clock.instant().plus(Duration.ofDays(400))), folder, clock, PAUSE);
    }

    private static ImageOutcome failed(String why) {
        return new ImageOutcome("vm", Optional.empty(), Optional.of(why), Duration.ofSeconds(1));
    }

    private void succeed() {
        alerts.imageEnded("nightly", Outcomes.succeeded("vm", 1_000_000, 1000, 500));
    }

    private JsonNode next(String state, AlertKind kind) throws IOException, InterruptedException {
        String text = posted.poll(20, TimeUnit.SECONDS);
        assertThat(text).as("something is told").isNotNull();
        JsonNode message = JSON.readTree(text);
        assertThat(message.path("state").asText()).isEqualTo(state);
        assertThat(message.path("kind").asText()).isEqualTo(kind.word());
        assertThat(message.path("site").asText()).isEqualTo("site1");
        assertThat(message.path("remedy").asText()).isNotEmpty();
        return message;
    }

    private void nothing() throws InterruptedException {
        assertThat(posted.poll(200, TimeUnit.MILLISECONDS)).isNull();
    }

    private static CareOutcome care(CareOutcome.Kind kind, Optional<String> error, String... problems) {
        Optional<String> image = kind == CareOutcome.Kind.BOOT ? Optional.of("vm") : Optional.empty();
        return new CareOutcome(kind, image, error, List.of(problems), Map.of());
    }

    @Test
    void damageStaysToldUntilItIsSeenToBeGone() throws Exception {
        alerts.careEnded("proof", care(CareOutcome.Kind.VERIFY, Optional.empty(), "vm@1: 3 chunks"));
        assertThat(next("raised", AlertKind.DAMAGE_FOUND).path("what").asText()).isEqualTo("vm@1: 3 chunks");
        alerts.careEnded("proof", care(CareOutcome.Kind.VERIFY, Optional.of("no route")));
        next("raised", AlertKind.CARE_FAILED);
        nothing(); // An agent that is away says nothing of what is damaged.
        alerts.careEnded("proof", care(CareOutcome.Kind.VERIFY, Optional.empty()));
        next("recovered", AlertKind.CARE_FAILED);
        next("recovered", AlertKind.DAMAGE_FOUND);
    }

    @Test
    void aMachineThatDoesNotStartIsToldByImage() throws Exception {
        alerts.careEnded("starts", care(CareOutcome.Kind.BOOT, Optional.empty(), "no sign of life"));
        assertThat(next("raised", AlertKind.BOOT_FAILED).path("subject").asText())
                .isEqualTo("starts/vm");
        alerts.careEnded("starts", care(CareOutcome.Kind.BOOT, Optional.empty()));
        next("recovered", AlertKind.BOOT_FAILED);
    }

    @Test
    void whatKeepsRulesFromDeletingIsToldAndSoIsADeletionThatWaits() throws Exception {
        CareOutcome.Kind kind = CareOutcome.Kind.PRUNE;
        Optional<String> vm = Optional.of("vm");
        alerts.careEnded(
                "old", new CareOutcome(kind, vm, Optional.empty(), List.of("its backup is overdue"), Map.of()));
        assertThat(next("raised", AlertKind.PRUNE_HELD).path("subject").asText())
                .isEqualTo("old/vm");
        CareOutcome waits = new CareOutcome(
                kind, vm, Optional.empty(), List.of(), List.of("request 7 waits"), Map.of("waiting.snapshots", 2.0));
        alerts.careEnded("old", waits);
        next("recovered", AlertKind.PRUNE_HELD);
        assertThat(next("raised", AlertKind.DELETION_WAITS).path("what").asText())
                .isEqualTo("request 7 waits");
        assertThat(alerts.doubts("nightly", "vm"))
                .as("neither speaks against deleting")
                .isEmpty();
        alerts.careEnded("old", new CareOutcome(kind, vm, Optional.empty(), List.of(), Map.of()));
        next("recovered", AlertKind.DELETION_WAITS);
        nothing();
    }

    @Test
    void aFailureIsToldOnceAndItsEndOnce() throws Exception {
        alerts.imageEnded("nightly", failed("no route"));
        JsonNode raised = next("raised", AlertKind.IMAGE_FAILED);
        assertThat(raised.path("subject").asText()).isEqualTo("nightly/vm");
        assertThat(raised.path("what").asText()).isEqualTo("no route");
        alerts.imageEnded("nightly", failed("no route, again"));
        nothing();
        succeed();
        next("recovered", AlertKind.IMAGE_FAILED);
        succeed();
        nothing();
        assertThat(alerts.raised()).isEmpty();
    }

    private static MachineOutcome machine(Optional<String> error, ImageOutcome... disks) {
        return new MachineOutcome(
                "web", List.of(disks), error, false, List.of(), Optional.empty(), Duration.ofSeconds(1));
    }

    private static ImageOutcome disk(String name, Optional<String> error) {
        return error.isPresent()
                ? new ImageOutcome(name, Optional.empty(), error, Duration.ZERO)
                : Outcomes.succeeded(name, 1_000_000, 1000, 500);
    }

    @Test
    void aMachineAndEachOfItsDisksAreToldOfByThemselves() throws Exception {
        alerts.machineEnded("nightly", machine(Optional.of("no socket")));
        assertThat(next("raised", AlertKind.IMAGE_FAILED).path("subject").asText())
                .isEqualTo("nightly/web");
        ImageOutcome good = disk("web.vda", Optional.empty());
        alerts.machineEnded("nightly", machine(Optional.empty(), good, disk("web.vdb", Optional.of("full"))));
        assertThat(next("raised", AlertKind.IMAGE_FAILED).path("subject").asText())
                .isEqualTo("nightly/web.vdb");
        assertThat(next("recovered", AlertKind.IMAGE_FAILED).path("subject").asText())
                .isEqualTo("nightly/web");
        AlertSite now = site(AlertForm.JSON, clock.instant().plus(Duration.ofDays(400)));
        alerts.configure(new AlertSite(
                now.targets(),
                Map.of("nightly", Set.of("web")),
                Map.of("nightly", Set.of("web")),
                Set.of("nightly"),
                now.certificateEnds()));
        assertThat(alerts.raised()).hasSize(1);
        alerts.machineEnded("nightly", machine(Optional.empty(), good));
        assertThat(alerts.raised()).isEmpty();
        clock.advance(Duration.ofHours(27));
        alerts.look();
        assertThat(next("raised", AlertKind.IMAGE_SILENT).path("subject").asText())
                .isEqualTo("nightly/web");
    }

    @Test
    void aTrackingThatLiedIsToldUntilAComparisonFindsItTrue() throws Exception {
        alerts.imageEnded("nightly", Outcomes.read("vm", ReadReason.LIED, Optional.of("vm@2 to vm@5")));
        assertThat(next("raised", AlertKind.CHANGES_UNTRUE).path("what").asText())
                .isEqualTo("vm@2 to vm@5");
        alerts.imageEnded("nightly", Outcomes.read("vm", ReadReason.TRACKED, Optional.empty()));
        nothing();
        alerts.imageEnded("nightly", Outcomes.read("vm", ReadReason.FULL_COMPARISON, Optional.empty()));
        next("recovered", AlertKind.CHANGES_UNTRUE);
    }

    private static ImageOutcome wentBack(String alarm) {
        return new ImageOutcome("vm", Optional.empty(), Optional.of(alarm), true, Duration.ofSeconds(1));
    }

    @Test
    void anAgentThatWentBackIsToldUntilItsRecordIsSeenToBeSound() throws Exception {
        alerts.imageEnded("nightly", wentBack("ALARM: the agent shows less of 'vm' than it had"));
        next("raised", AlertKind.IMAGE_FAILED);
        JsonNode raised = next("raised", AlertKind.AGENT_WENT_BACK);
        assertThat(raised.path("subject").asText()).isEqualTo("nightly/vm");
        assertThat(raised.path("what").asText()).isEqualTo("ALARM: the agent shows less of 'vm' than it had");
        assertThat(alerts.doubts("nightly", "vm")).hasSize(2);
        alerts.imageEnded("nightly", failed("no route"));
        nothing(); // Nothing was compared.
        succeed();
        next("recovered", AlertKind.IMAGE_FAILED);
        next("recovered", AlertKind.AGENT_WENT_BACK);
        assertThat(alerts.doubts("nightly", "vm")).isEmpty();
    }

    @Test
    void careAndMachinesTellOfAnAgentThatWentBackToo() throws Exception {
        Optional<String> alarm = Optional.of("ALARM: less");
        alerts.careEnded(
                "starts",
                new CareOutcome(CareOutcome.Kind.BOOT, Optional.of("vm"), alarm, true, List.of(), List.of(), Map.of()));
        next("raised", AlertKind.CARE_FAILED);
        assertThat(next("raised", AlertKind.AGENT_WENT_BACK).path("subject").asText())
                .isEqualTo("starts/vm");
        assertThat(alerts.doubts("nightly", "vm"))
                .as("whoever found it")
                .singleElement()
                .asString()
                .contains("agent-went-back");
        alerts.careEnded("starts", care(CareOutcome.Kind.BOOT, Optional.empty()));
        next("recovered", AlertKind.CARE_FAILED);
        next("recovered", AlertKind.AGENT_WENT_BACK);
        alerts.machineEnded(
                "nightly",
                new MachineOutcome("web", List.of(), alarm, true, List.of(), Optional.empty(), Duration.ZERO));
        next("raised", AlertKind.IMAGE_FAILED);
        assertThat(next("raised", AlertKind.AGENT_WENT_BACK).path("subject").asText())
                .isEqualTo("nightly/web");
        alerts.machineEnded("nightly", machine(Optional.empty(), disk("web.vda", Optional.empty())));
        next("recovered", AlertKind.IMAGE_FAILED);
        next("recovered", AlertKind.AGENT_WENT_BACK);
    }

    private void roomLeft(long bytes) {
        alerts.roomSeen(new StoreRoom(new UUID(1, 2), bytes));
    }

    @Test
    void aStoreThatFillsIsToldInTimeAlsoOverARestart() throws Exception {
        long gigabyte = 1_000_000_000;
        roomLeft(Long.MAX_VALUE);
        for (int night = 0; night < 5; night++) {
            roomLeft((98 - 10 * night) * gigabyte);
            clock.advance(Duration.ofDays(1));
            alerts.close();
            alerts = open(AlertForm.JSON);
            if (night == 2) {
                nothing(); // Nobody knows yet how it goes on.
            }
        }
        assertThat(next("raised", AlertKind.STORE_FILLS).path("what").asText())
                .contains("68.0 GB left")
                .contains("10.0 GB less each day")
                .contains("full at");
        roomLeft(500 * gigabyte);
        next("recovered", AlertKind.STORE_FILLS);
        roomLeft(gigabyte - 1);
        assertThat(next("raised", AlertKind.STORE_FILLS).path("what").asText()).contains("less than 1.0 GB");
        roomLeft(Long.MAX_VALUE);
        next("recovered", AlertKind.STORE_FILLS);
    }

    @Test
    void aClockThatWentBackOrDiffersFromTheAgentsIsTold() throws Exception {
        alerts.clocksSeen(clock.instant(), clock.instant().plusSeconds(250));
        alerts.look();
        nothing();
        clock.advance(Duration.ofHours(-3));
        alerts.close();
        alerts = open(AlertForm.JSON);
        alerts.look();
        assertThat(next("raised", AlertKind.CLOCK_WRONG).path("what").asText())
                .contains("2026-11-27T23:30:00Z")
                .contains("showed 2026-11-28T02:30:00Z before");
        clock.advance(Duration.ofHours(3));
        alerts.look();
        next("recovered", AlertKind.CLOCK_WRONG);

        alerts.clocksSeen(clock.instant(), clock.instant().minusSeconds(350));
        assertThat(next("raised", AlertKind.CLOCK_WRONG).path("what").asText()).contains("the agent's");
        alerts.look();
        alerts.close();
        alerts = open(AlertForm.JSON);
        alerts.look();
        nothing(); // Only the agent's says when it is right again.
        alerts.clocksSeen(clock.instant(), clock.instant().minusSeconds(5));
        next("recovered", AlertKind.CLOCK_WRONG);

        clock.advance(Duration.ofHours(20));
        alerts.look();
        clock.advance(Duration.ofHours(-20));
        alerts.look();
        next("raised", AlertKind.CLOCK_WRONG);
        alerts.clocksSeen(clock.instant(), clock.instant());
        next("recovered", AlertKind.CLOCK_WRONG);
        alerts.look();
        nothing(); // It was the time before that was wrong.
    }

    @Test
    void aRestartNeitherRepeatsNorForgets() throws Exception {
        alerts.imageEnded("nightly", failed("no route"));
        next("raised", AlertKind.IMAGE_FAILED);
        alerts.close();
        alerts = open(AlertForm.JSON);
        alerts.imageEnded("nightly", failed("still none"));
        nothing();
        succeed();
        next("recovered", AlertKind.IMAGE_FAILED);
    }

    @Test
    void aDamagedBookIsBegunAnew() throws Exception {
        alerts.close();
        for (String damaged :
                List.of("", "{", "[]", "{\"version\":2}", "{\"version\":1,\"raised\":[{\"kind\":\"x\"}]}")) {
            Files.writeString(folder.resolve("alerts.json"), damaged);
            alerts = open(AlertForm.JSON);
            assertThat(alerts.raised()).as(damaged).isEmpty();
            alerts.close();
        }
        alerts = open(AlertForm.JSON);
    }

    @Test
    void whatIsNotTakenIsSentAgainInItsOrder() throws Exception {
        refusals.set(4);
        alerts.imageEnded("nightly", failed("first"));
        alerts.jobMissed("nightly");
        next("raised", AlertKind.IMAGE_FAILED);
        next("raised", AlertKind.JOB_MISSED);
        alerts.jobStarted("nightly");
        next("recovered", AlertKind.JOB_MISSED);
    }

    @Test
    void silenceIsNoticed() throws Exception {
        succeed();
        clock.advance(Duration.ofHours(25));
        alerts.look();
        nothing();
        clock.advance(Duration.ofHours(2));
        alerts.look();
        alerts.look();
        next("raised", AlertKind.IMAGE_SILENT);
        nothing();
        succeed();
        next("recovered", AlertKind.IMAGE_SILENT);
    }

    /** Before NTP has set it, a machine's clock may show anything. */
    @Test
    void silenceAfterAClockThatWasYearsAheadIsNoticed() throws Exception {
        clock.advance(Duration.ofDays(3650));
        succeed();
        clock.advance(Duration.ofDays(-3650));
        alerts.look();
        next("raised", AlertKind.CLOCK_WRONG);
        clock.advance(Duration.ofHours(27));
        alerts.look();
        next("raised", AlertKind.IMAGE_SILENT);
    }

    @Test
    void anImageThatIsAddedIsNotSilentYet() throws Exception {
        clock.advance(Duration.ofHours(20));
        succeed();
        clock.advance(Duration.ofHours(20));
        AlertSite before = site(AlertForm.JSON, clock.instant().plus(Duration.ofDays(400)));
        alerts.configure(new AlertSite(
                before.targets(),
                Map.of("nightly", Set.of("vm", "fresh")),
                Map.of(),
                Set.of("nightly"),
                before.certificateEnds()));
        alerts.look();
        nothing();
        clock.advance(Duration.ofHours(7));
        alerts.look();
        assertThat(next("raised", AlertKind.IMAGE_SILENT).path("subject").asText())
                .isEqualTo("nightly/vm");
        clock.advance(Duration.ofHours(20));
        alerts.look();
        assertThat(next("raised", AlertKind.IMAGE_SILENT).path("subject").asText())
                .isEqualTo("nightly/fresh");
    }

    @Test
    void keepersStoresCertificatesStallsAndConfigurationsAreTold() throws Exception {
        alerts.keepersSeen(keepers(KeeperState.Condition.AWAY, 0, false));
        next("raised", AlertKind.STORE_READ_ONLY);
        next("raised", AlertKind.KEEPER_AWAY);
        alerts.keepersSeen(keepers(KeeperState.Condition.WHOLE, 2, true));
        next("recovered", AlertKind.STORE_READ_ONLY);
        next("recovered", AlertKind.KEEPER_AWAY);
        next("raised", AlertKind.KEEPER_DAMAGED);
        alerts.keepersSeen(keepers(KeeperState.Condition.WHOLE, 0, true));
        next("recovered", AlertKind.KEEPER_DAMAGED);

        alerts.watch(() -> List.of(new JobStatus(
                "nightly",
                true,
                Optional.of(Duration.ofMinutes(12)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty())));
        alerts.look();
        next("raised", AlertKind.JOB_STALLED);
        alerts.watch(List::of);
        alerts.jobEnded("nightly", true);
        next("recovered", AlertKind.JOB_STALLED);
        assertThat(asked.poll(20, TimeUnit.SECONDS)).isNotNull();
        alerts.jobEnded("nightly", false);
        assertThat(asked.poll(200, TimeUnit.MILLISECONDS)).isNull();

        alerts.configurationRefused("line 3");
        next("raised", AlertKind.CONFIGURATION_REFUSED);
        alerts.configure(site(AlertForm.JSON, clock.instant().plus(Duration.ofDays(29))));
        next("recovered", AlertKind.CONFIGURATION_REFUSED);
        alerts.look();
        next("raised", AlertKind.CERTIFICATE_ENDS);
        alerts.configure(site(AlertForm.JSON, clock.instant().plus(Duration.ofDays(400))));
        alerts.look();
        next("recovered", AlertKind.CERTIFICATE_ENDS);
    }

    private static KeepersState keepers(KeeperState.Condition condition, long damaged, boolean writable) {
        return Outcomes.keepers(condition, damaged, writable);
    }

    @Test
    void aNightUnlikeAllBeforeIsTold() throws Exception {
        for (int night = 0; night < 8; night++) {
            alerts.imageEnded("nightly", Outcomes.succeeded("vm", 1_000_000, 9000 + night * 1000, 5000));
        }
        nothing();
        alerts.imageEnded("nightly", Outcomes.succeeded("vm", 1_000_000, 600_000, 600_500));
        JsonNode raised = next("raised", AlertKind.UNLIKE_BEFORE);
        assertThat(raised.path("what").asText()).contains("600000 of its 1000000 bytes");
        alerts.close();
        alerts = open(AlertForm.JSON);
        alerts.imageEnded("nightly", Outcomes.succeeded("vm", 1_000_000, 12_000, 6000));
        next("recovered", AlertKind.UNLIKE_BEFORE);
    }

    @Test
    void whatIsConfiguredNoMoreIsForgotten() throws Exception {
        alerts.imageEnded("nightly", failed("no route"));
        next("raised", AlertKind.IMAGE_FAILED);
        AlertSite now = site(AlertForm.JSON, clock.instant().plus(Duration.ofDays(400)));
        alerts.configure(new AlertSite(
                now.targets(), Map.of("weekly", Set.of("db")), Map.of(), Set.of(), now.certificateEnds()));
        assertThat(alerts.raised()).isEmpty();
        nothing();
    }

    @Test
    void eachFormSaysItInItsWay() throws Exception {
        for (AlertForm form : AlertForm.values()) {
            alerts.configure(site(form, clock.instant().plus(Duration.ofDays(400))));
            alerts.imageEnded("nightly", failed("no \"route\""));
            String text = posted.poll(20, TimeUnit.SECONDS);
            assertThat(text).contains("nightly/vm").contains("What to do");
            if (form != AlertForm.NTFY) {
                assertThat(JSON.readTree(text).path("text").asText()).contains("no \"route\"");
            }
            succeed();
            assertThat(posted.poll(20, TimeUnit.SECONDS)).contains("recovered");
        }
    }
}
