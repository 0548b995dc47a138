// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.server.guest.FileFacts;
import io.shredder.backup.server.guest.VolumeFacts;
import java.util.List;
import java.util.Optional;

/**
 * How a listing stands.
 *
 * @param number among those of this daemon since it began
 * @param order what was wanted
 * @param ended whether all is there that will be
 * @param volumes file systems, where no path was given
 * @param files that were found, in the order of the image
 * @param problems what could not be read, and what was left out
 * @param error why there is nothing
 */
public record ListingStatus(
        long number,
        ListingOrder order,
        boolean ended,
        List<VolumeFacts> volumes,
        List<FileFacts> files,
        List<String> problems,
        Optional<String> error) {

    /** Keeps copies. */
    public ListingStatus {
        volumes = List.copyOf(volumes);
        files = List.copyOf(files);
        problems = List.copyOf(problems);
    }
}
