// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.storage.RequestCounts;
import io.shredder.backup.agent.store.ChunkStore;
import io.shredder.backup.care.RoomTrend;
import io.shredder.backup.console.Rows;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeepersState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** {@code /store}: how much is kept, what is left, what is damaged, and how keepers stand. */
final class StoreApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_PLACES = 50;

    /** What is used up sooner needs somebody. */
    private static final Duration SOON = Duration.ofDays(14);

    private final AgentSources sources;
    private final ChunkStore chunks;
    private final StoreCount count;

    StoreApi(AgentSources sources, StoreCount count) {
        this.sources = sources;
        this.chunks = sources.repository().chunks();
        this.count = count;
    }

    ObjectNode answer() {
        StoreCount.Known known = count.latest();
        ObjectNode answer = JSON.createObjectNode()
                .put("chunks", chunks.index().size())
                .put("damagedChunks", chunks.damaged().size());
        ArrayNode places = answer.putArray("damagedPlaces");
        chunks.damaged().places(MOST_PLACES).forEach(place -> places.add(json(place)));
        known.counted().ifPresent(counted -> answer.set("counted", json(counted)));
        known.failure().ifPresent(why -> answer.put("failure", why));
        count.room().ifPresent(trend -> answer.set("room", json(trend)));
        chunks.containers().storage().requests().ifPresent(counts -> answer.set("requests", json(counts)));
        return answer;
    }

    private ObjectNode json(ChunkLocation place) {
        return JSON.createObjectNode()
                .put("file", chunks.containers().name(place.container()))
                .put("offset", place.offset())
                .put("bytes", place.storedBytes());
    }

    private static ObjectNode json(RoomTrend.Trend trend) {
        ObjectNode json =
                JSON.createObjectNode().put("since", trend.since().toString()).put("bytesPerDay", trend.bytesPerDay());
        trend.fullAt().ifPresent(time -> json.put("fullAt", time.toString()));
        return json;
    }

    private static ObjectNode json(StoreCount.Counted counted) {
        ObjectNode json = JSON.createObjectNode()
                .put("at", counted.at().toString())
                .put("containers", counted.containers())
                .put("containerBytes", counted.containerBytes())
                .put("problemCount", counted.problemCount());
        if (counted.usableBytes() < Long.MAX_VALUE) {
            json.put("usableBytes", counted.usableBytes());
        }
        counted.problems().forEach(json.putArray("problems")::add);
        counted.keepers().ifPresent(state -> json.set("keepers", json(state)));
        return json;
    }

    private static ObjectNode json(KeepersState state) {
        ObjectNode json = JSON.createObjectNode()
                .put("writable", state.writable())
                .put("readable", state.readable())
                .put("spareToWrite", state.spareToWrite())
                .put("spareToRead", state.spareToRead())
                .put("undecidedFiles", state.undecided())
                .put("epoch", state.epoch());
        Rows rows = new Rows(Rows.MOST_BYTES / 2);
        state.keepers().stream().map(StoreApi::json).forEach(rows::add);
        json.set("all", rows.rows());
        return json;
    }

    private static ObjectNode json(KeeperState keeper) {
        ObjectNode json = JSON.createObjectNode()
                .put("home", keeper.home())
                .put("condition", keeper.condition().word());
        if (!keeper.why().isEmpty()) {
            json.put("why", keeper.why());
        }
        keeper.since().ifPresent(time -> json.put("since", time.toString()));
        return json.put("lackingFiles", keeper.lacking())
                .put("damagedPlaces", keeper.damaged())
                .put("filledBytes", keeper.filledBytes())
                .put("toFillBytes", keeper.toFillBytes());
    }

    private static ObjectNode json(RequestCounts counts) {
        ObjectNode json = JSON.createObjectNode()
                .put("sentBytes", counts.bytesSent())
                .put("receivedBytes", counts.bytesReceived());
        ArrayNode kinds = json.putArray("kinds");
        counts.requests().forEach((kind, number) -> kinds.addObject()
                .put("kind", kind)
                .put("requests", number)
                .put("refused", counts.refused().getOrDefault(kind, 0L)));
        return json;
    }

    /** For {@code /about}. */
    List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        int damaged = chunks.damaged().size();
        if (damaged > 0) {
            wrong.add("damaged chunks: " + damaged
                    + "; the next backup that has them sends them again, or 'shredder-backup repair' does");
        }
        Instant soon = sources.clock().instant().plus(SOON);
        count.room()
                .flatMap(RoomTrend.Trend::fullAt)
                .filter(soon::isAfter)
                .ifPresent(time ->
                        wrong.add("the store will be full at " + time + " if it goes on so: prune, or add space"));
        StoreCount.Known known = count.latest();
        known.failure().ifPresent(why -> wrong.add("the store can't be counted: " + why));
        known.counted().ifPresent(counted -> {
            if (counted.usableBytes() <= 0) {
                wrong.add("the store has no room: free or add space");
            }
            if (counted.problemCount() > 0) {
                wrong.add(
                        "problems of the catalogue: " + counted.problemCount() + "; the page of the store names them");
            }
            if (counted.keepers().isPresent() && !counted.keepers().get().isSound()) {
                wrong.add("not all keepers are whole: the page of the store says which");
            }
        });
        return wrong;
    }
}
