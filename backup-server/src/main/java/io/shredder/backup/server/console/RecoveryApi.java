// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.server.recovery.ExportStatus;
import io.shredder.backup.server.recovery.Recovery;
import io.shredder.backup.server.recovery.RestoreStatus;

/** {@code /restores} and {@code /exports}: what people have had restored and opened since the daemon began. */
final class RecoveryApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_ROWS = 50;
    private static final double MILLIS = 1e3;

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
