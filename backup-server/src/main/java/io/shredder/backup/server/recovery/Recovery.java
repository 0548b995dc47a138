// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.server.care.CareSite;
import java.io.Closeable;
import java.util.function.Supplier;

/**
 * What the daemon shows people of the agent's snapshots.
 *
 * @param views of images' series
 */
public record Recovery(SeriesViews views) implements Closeable {

    /**
     * Begins; nothing is asked yet.
     *
     * @param site as the configuration that is used now has it
     */
    public static Recovery start(Supplier<CareSite> site) {
        return new Recovery(new SeriesViews(site));
    }

    @Override
    public void close() {
        views.close();
    }
}
