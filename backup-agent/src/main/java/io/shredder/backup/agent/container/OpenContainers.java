// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.region.StoredRegion;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What the containers that are appended to are like together; under the lock of {@link ContainerWriters}. */
final class OpenContainers {

    private final Collection<OpenContainer> open;

    /** @param open ascending; changes */
    OpenContainers(Collection<OpenContainer> open) {
        this.open = open;
    }

    /** The first that nobody has and that has room; one without is retired. */
    Optional<OpenContainer> idleWithRoom(StoredRegion region) {
        for (OpenContainer container : open) {
            if (!container.taken && !container.retired) {
                if (container.hasRoom(region)) {
                    return Optional.of(container);
                }
                container.retired = true;
                container.beginForce();
            }
        }
        return Optional.empty();
    }

    /** How many take regions, now or in a moment: not those that the disk is busy with. */
    int active() {
        int active = 0;
        for (OpenContainer container : open) {
            active += container.retired || container.forced ? 0 : 1;
        }
        return active;
    }

    /** Those before this number take no more. */
    void retireBefore(int number) {
        for (OpenContainer container : open) {
            container.retired |= container.number() < number;
        }
    }

    /** Whether nobody has one. */
    boolean noneTaken() {
        return open.stream().noneMatch(container -> container.taken);
    }

    /** Those that have something to force or take no more, taken for that. */
    List<OpenContainer> takeToForce() {
        List<OpenContainer> toForce = open.stream()
                .filter(container -> container.retired || container.isDirty() || !container.canGrow())
                .toList();
        for (OpenContainer container : toForce) {
            container.taken = true;
            container.forced = true;
        }
        return toForce;
    }
}
