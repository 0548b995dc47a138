// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.SnapshotInfo;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code shredder-backup list}. */
@Command(name = "list", description = "List this client's snapshots.", mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {

    @Mixin
    private SourceOptions source = new SourceOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        SnapshotChoice.Listing listing;
        try (AgentClient client = source.connect()) {
            listing = SnapshotChoice.listAll(client);
        }
        if (json.isGiven()) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put(
                    "snapshots",
                    listing.snapshots().stream().map(SnapshotText::json).toList());
            all.put("damaged", listing.damaged());
            System.out.println(Json.line(all));
        } else {
            for (SnapshotInfo snapshot : listing.snapshots()) {
                System.out.println(SnapshotText.line(snapshot));
            }
        }
        return ShredderBackupMain.report(listing.damaged());
    }
}
