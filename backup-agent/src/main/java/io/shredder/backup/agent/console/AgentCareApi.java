// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.agent.care.CareStanding;
import io.shredder.backup.agent.collect.CollectionProgress;
import io.shredder.backup.agent.store.UpkeepSeen;
import io.shredder.backup.care.CareLedger;
import io.shredder.backup.schedule.JobStatus;
import java.util.List;

/**
 * {@code /care}: the agent's own collections and verifications, if it has been told to take any, and the last ones,
 * whoever has asked for them.
 */
final class AgentCareApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_PROBLEMS = 50;

    private final AgentSources sources;

    AgentCareApi(AgentSources sources) {
        this.sources = sources;
    }

    ObjectNode list() {
        ObjectNode answer = JSON.createObjectNode();
        ArrayNode rows = answer.putArray("care");
        sources.care().get().forEach(care -> rows.add(row(care)));
        UpkeepSeen seen = sources.repository().upkeep();
        seen.collection().ifPresent(last -> answer.set("collection", json(last)));
        seen.verification().ifPresent(last -> answer.set("verification", json(last)));
        return answer;
    }

    private static ObjectNode row(CareStanding care) {
        JobStatus status = care.status();
        ObjectNode row = JSON.createObjectNode()
                .put("name", status.name())
                .put("schedule", care.schedule())
                .put("running", status.running());
        status.waits().ifPresent(wait -> row.put("waitsFor", wait.word()));
        status.nextStart().ifPresent(time -> row.put("nextStart", time.toString()));
        status.lastEnd().ifPresent(time -> row.put("lastEnd", time.toString()));
        status.lastOk().ifPresent(ok -> row.put("lastOk", ok));
        ObjectNode figures = row.putObject("figures");
        care.figures().forEach(figures::put);
        care.turn().ifPresent(turn -> row.set("turn", json(turn)));
        return row;
    }

    private static ObjectNode json(UpkeepSeen.Collection last) {
        CollectionProgress progress = last.progress();
        return JSON.createObjectNode()
                .put("at", last.at().toString())
                .put("running", last.underWay())
                .put("done", progress.done())
                .put("markedChunks", progress.markedChunks())
                .put("garbageBytes", progress.garbageBytes())
                .put("freedBytes", progress.freedBytes())
                .put("deletedContainers", progress.deletedContainers())
                .put("leftContainers", progress.leftContainers())
                .put("problems", last.problems());
    }

    private static ObjectNode json(UpkeepSeen.Verification last) {
        return JSON.createObjectNode()
                .put("at", last.at().toString())
                .put("chunks", last.chunks())
                .put("bytes", last.bytes())
                .put("problems", last.problems());
    }

    private static ObjectNode json(CareLedger.Turn turn) {
        ObjectNode json = JSON.createObjectNode()
                .put("passBegan", turn.passBegan().toString())
                .put("lastRun", turn.lastRun().toString())
                .put("damagedParts", turn.open().size());
        ArrayNode problems = json.putArray("problems");
        turn.open().values().stream()
                .flatMap(List::stream)
                .distinct()
                .limit(MOST_PROBLEMS)
                .forEach(problems::add);
        return json;
    }

    /** For {@code /about}. */
    List<String> wrong() {
        return sources.care().get().stream()
                .filter(care -> !care.status().lastOk().orElse(true))
                .map(care -> "care " + care.status().name() + " failed or found something: see the agent's log")
                .toList();
    }
}
