// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.config.ConsoleConfig;
import io.shredder.backup.server.history.DaemonHistory;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the daemon shows people of the agent's snapshots, and what they have it do with them.
 *
 * @param views of images' series
 * @param restores to files
 * @param exports to other programs, as block devices
 * @param listings of files
 */
public record Recovery(SeriesViews views, Restores restores, Exports exports, Listings listings) implements Closeable {

    /**
     * Begins; nothing is asked yet.
     *
     * @param site as the configuration that is used now has it
     * @param history is told what came of it
     */
    public static Recovery start(Supplier<CareSite> site, DaemonHistory history) {
        Optional<Path> folder = site.get().config().console().flatMap(ConsoleConfig::restoreTo);
        return new Recovery(
                new SeriesViews(site),
                new Restores(folder, site, history),
                new Exports(site.get().config().state(), site),
                new Listings(site));
    }

    @Override
    public void close() {
        restores.close();
        exports.close();
        listings.close();
        views.close();
    }
}
