// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.console.Query;
import io.shredder.backup.console.Rows;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.server.guest.VolumeFacts;
import io.shredder.backup.server.recovery.ExportStatus;
import io.shredder.backup.server.recovery.ListingStatus;
import io.shredder.backup.server.recovery.Recovery;
import io.shredder.backup.server.recovery.RestoreStatus;
import java.util.Optional;

/** {@code /restores}, {@code /exports}, {@code /listings/NUMBER}: what people have had restored, opened and listed. */
final class RecoveryApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_ROWS = 50;
    private static final double MILLIS = 1e3;
    private static final int MOST_LINE_LENGTH = 400;

    private final Recovery recovery;

    RecoveryApi(Recovery recovery) {
        this.recovery = recovery;
    }

    ObjectNode restores(Query query) {
        return Rows.page("restores", recovery.restores().status(), query, USUAL_ROWS, RecoveryApi::row);
    }

    /** @param withPlaces whether it says where they are open, which is for those who may open some */
    ObjectNode exports(Query query, boolean withPlaces) {
        return Rows.page("exports", recovery.exports().status(), query, USUAL_ROWS, each -> row(each, withPlaces));
    }

    private static ObjectNode row(ExportStatus status, boolean withPlaces) {
        ObjectNode row = JSON.createObjectNode()
                .put("number", status.number())
                .put("image", status.order().image().value())
                .put("snapshot", status.order().snapshot())
                .put("person", status.order().person())
                .put("state", status.state().word())
                .put("until", status.until().toString());
        status.uri().filter(uri -> withPlaces).ifPresent(uri -> row.put("uri", uri));
        status.reason().ifPresent(reason -> row.put("reason", reason));
        return row;
    }

    /**
     * What was found in a snapshot; 202 until that is all.
     *
     * @param allowed whether whoever asks may see names of files
     */
    Answer listing(String number, Query query, boolean allowed) {
        if (!allowed) {
            return ConsoleSite.error(403, "names of files are for those who have the right 'files'");
        }
        Optional<ListingStatus> found =
                number.matches("[0-9]{1,18}") ? recovery.listings().status(Long.parseLong(number)) : Optional.empty();
        if (found.isEmpty()) {
            return ConsoleSite.error(404, "there is no such listing, or no more: ask for another");
        }
        ListingStatus status = found.get();
        if (!status.ended()) {
            return ConsoleSite.comingSoon("the files are being listed: ask again in a second");
        }
        ObjectNode page = status.order().path().isPresent()
                ? Rows.page("files", status.files(), query, USUAL_ROWS, each -> JSON.valueToTree(each.json()))
                : Rows.page("volumes", status.volumes(), query, USUAL_ROWS, RecoveryApi::row);
        page.put("image", status.order().image().value())
                .put("snapshot", status.order().snapshot());
        status.order().path().ifPresent(path -> page.put("path", path));
        status.problems().stream()
                .map(line -> line.substring(0, Math.min(MOST_LINE_LENGTH, line.length())))
                .forEach(page.putArray("problems")::add);
        status.error().ifPresent(error -> page.put("error", error));
        return ConsoleSite.json(200, page);
    }

    private static ObjectNode row(VolumeFacts volume) {
        ObjectNode row = JSON.valueToTree(volume.json());
        row.remove("uuid");
        if (row.path("mount").isNull()) {
            row.remove("mount");
        }
        return row;
    }

    /** Its rate is that since it began; it says how long it will take once there is one. */
    private static ObjectNode row(RestoreStatus status) {
        double seconds = Math.max(1, status.elapsed().toMillis()) / MILLIS;
        long rate = Math.round(status.writtenBytes() / seconds);
        ObjectNode row = JSON.createObjectNode()
                .put("number", status.number())
                .put("image", status.order().image().value())
                .put("snapshot", status.order().snapshot())
                .put("to", status.order().to())
                .put("person", status.order().person())
                .put("state", status.state().word())
                .put("imageBytes", status.imageBytes())
                .put("writtenBytes", status.writtenBytes())
                .put("elapsedSeconds", status.elapsed().toSeconds())
                .put("bytesPerSecond", rate);
        if (status.state() == RestoreStatus.State.RUNNING && rate > 0) {
            row.put("remainingSeconds", Math.max(0, status.imageBytes() - status.writtenBytes()) / rate);
        }
        status.error().ifPresent(error -> row.put("error", error));
        return row;
    }
}
