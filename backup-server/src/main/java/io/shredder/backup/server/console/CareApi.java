// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.console.Query;
import io.shredder.backup.console.Rows;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.monitoring.PageServer.Body;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** {@code /care}: verification, copies, boot tests with their pictures, and the keepers of the agent's store. */
final class CareApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_ROWS = 100;
    private static final long MOST_PICTURE_BYTES = 1 << 20;

    private final ConsoleSources sources;

    CareApi(ConsoleSources sources) {
        this.sources = sources;
    }

    static String kindOf(CareConfig care) {
        CareOutcome.Kind kind = CareOutcome.Kind.VERIFY;
        if (care.work() instanceof CareConfig.Copy) {
            kind = CareOutcome.Kind.COPY;
        } else if (care.work() instanceof CareConfig.Boot) {
            kind = CareOutcome.Kind.BOOT;
        } else if (care.work() instanceof CareConfig.Prune) {
            kind = CareOutcome.Kind.PRUNE;
        }
        return kind.name().toLowerCase(Locale.ROOT);
    }

    ObjectNode list(Query query) {
        List<ObjectNode> rows = new ArrayList<>();
        for (CareConfig care : sources.config().care()) {
            if (care.work() instanceof CareConfig.Boot boot) {
                boot.images().forEach(image -> rows.add(boot(care, boot, image)));
            } else if (care.work() instanceof CareConfig.Prune prune) {
                rows.add(whole(care));
                prune.jobs().stream()
                        .flatMap(job -> job.images().stream())
                        .forEach(image ->
                                rows.add(row(care, Optional.of(image.name().value()))
                                        .put("image", image.name().value())));
            } else {
                rows.add(whole(care));
            }
        }
        ObjectNode page = Rows.page("care", rows, query, USUAL_ROWS, row -> row);
        sources.history().keepers().ifPresent(state -> page.set("store", store(state)));
        return page;
    }

    private ObjectNode whole(CareConfig care) {
        ObjectNode row = row(care, Optional.empty());
        if (care.work() instanceof CareConfig.Verify verify) {
            row.put("allInDays", verify.allIn().toDays());
            sources.ledger().turn(care.name()).ifPresent(turn -> row.put(
                            "passBegan", turn.passBegan().toString())
                    .put("damagedParts", turn.open().size()));
        } else if (care.work() instanceof CareConfig.Copy copy) {
            row.put("to", copy.to().toString());
        }
        return row;
    }

    private ObjectNode boot(CareConfig care, CareConfig.Boot boot, SnapshotName image) {
        ObjectNode row = row(care, Optional.of(image.value())).put("image", image.value());
        if (boot.pictures()
                .map(folder -> Files.isRegularFile(picture(folder, image)))
                .orElse(false)) {
            row.put("picture", "care/boot/" + image.value() + ".png");
        }
        return row;
    }

    private ObjectNode row(CareConfig care, Optional<String> image) {
        ObjectNode row = JSON.createObjectNode().put("name", care.name()).put("kind", kindOf(care));
        sources.history().lastCare(care.name(), image).ifPresent(line -> {
            ObjectNode last = row.putObject("last")
                    .put("at", line.path("at").asText())
                    .put("ok", line.path("ok").asBoolean());
            if (line.has("error")) {
                last.put("error", line.path("error").asText());
            }
            last.set("problems", line.withArray("/problems"));
            last.set("figures", line.withObject("/figures"));
        });
        return row;
    }

    /** Keepers are shown by number: where they are is no reader's matter. */
    private static ObjectNode store(KeepersState state) {
        ObjectNode store = JSON.createObjectNode()
                .put("writable", state.writable())
                .put("readable", state.readable())
                .put("spareToWrite", state.spareToWrite())
                .put("spareToRead", state.spareToRead());
        ArrayNode keepers = store.putArray("keepers");
        for (KeeperState keeper : state.keepers()) {
            keepers.addObject()
                    .put("condition", keeper.condition().word())
                    .put("lackingFiles", keeper.lacking())
                    .put("damagedPlaces", keeper.damaged());
        }
        return store;
    }

    private static Path picture(Path folder, SnapshotName image) {
        return folder.resolve(image.value() + ".png");
    }

    /** The picture of an image's last boot test. The path is made of the configuration's words, never of the asked. */
    Optional<Answer> picture(String asked) throws IOException {
        for (CareConfig care : sources.config().care()) {
            if (care.work() instanceof CareConfig.Boot boot && boot.pictures().isPresent()) {
                for (SnapshotName image : boot.images()) {
                    Path file = picture(boot.pictures().get(), image);
                    if (image.value().equals(asked)
                            && Files.isRegularFile(file)
                            && Files.size(file) <= MOST_PICTURE_BYTES) {
                        return Optional.of(new Answer(200, "image/png", Body.of(Files.readAllBytes(file)), Map.of()));
                    }
                }
            }
        }
        return Optional.empty();
    }
}
