// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.backup.agent.access.AccessRules;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.store.StorePlace;
import io.shredder.backup.console.ApiDocument;
import io.shredder.backup.console.Visitors;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a store that is spread over keepers, one of which is away. */
class StoreOfKeepersTest {

    private static final int KEEPERS = 6;
    private static final ApiDocument DOCUMENT = new ApiDocument(AgentSite.class);

    @TempDir
    private Path folder;

    private StorePlace place() throws IOException {
        List<String> keepers = new ArrayList<>();
        for (int i = 0; i < KEEPERS; i++) {
            keepers.add("\"" + Files.createDirectories(keeper(i)) + "\"");
        }
        Files.writeString(folder.resolve("keepers.yaml"), "data: 4\nparity: 2\nkeepers: " + keepers + "\n");
        return new StorePlace(
                folder.resolve("repo"), Optional.of(URI.create("disperse:" + folder.resolve("keepers.yaml"))));
    }

    private Path keeper(int number) {
        return folder.resolve("keeper" + number);
    }

    private static Repository open(StorePlace place) throws IOException {
        return Repository.open(place, Clock.systemUTC(), 1 << 20, 1 << 10);
    }

    private static JsonNode ask(AgentSite site, String path) throws IOException {
        Answer answer =
                site.answer(new PageRequest("/api/v1" + path, Map.of(), Map.of("host", "localhost"), Optional.empty()));
        return DOCUMENT.checked(path, answer.status(), answer.body().text());
    }

    private static JsonNode counted(AgentSite site) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            JsonNode store = ask(site, "/store");
            if (store.has("counted")) {
                return store.path("counted");
            }
            assertThat(System.nanoTime()).as(store.toString()).isLessThan(deadlineNs);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @Test
    void itSaysWhichKeeperIsAwayAndHowManyMoreMayBe() throws Exception {
        StorePlace place = place();
        open(place).close();
        Files.move(keeper(3), folder.resolve("away"));
        try (Repository repository = open(place)) {
            AgentSources sources = new AgentSources(
                    repository,
                    List::of,
                    List::of,
                    () -> AccessRules.APPEND_AND_RESTORE,
                    Instant.parse("2100-01-01T00:00:00Z"),
                    Instant.now(),
                    Clock.systemUTC());
            try (StoreCount count = new StoreCount(repository, Clock.systemUTC())) {
                AgentSite site = new AgentSite(new Visitors(Optional.empty()), sources, count);
                JsonNode keepers = counted(site).path("keepers");
                assertThat(keepers.path("writable").asBoolean()).isTrue();
                assertThat(keepers.path("spareToRead").asInt()).isOne();
                assertThat(keepers.path("all").findValuesAsText("condition"))
                        .containsExactly("whole", "whole", "whole", "away", "whole", "whole");
                assertThat(keepers.at("/all/3/home").asText())
                        .contains(keeper(3).toString());
                assertThat(ask(site, "/about").path("wrong").toString()).contains("not all keepers are whole");
            }
        }
    }
}
