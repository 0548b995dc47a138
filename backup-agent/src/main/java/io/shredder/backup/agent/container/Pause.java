// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A moment at which nobody appends to containers; then what was appended before is made durable, while others go on
 * elsewhere. One thread.
 */
public final class Pause implements Closeable {

    private final ContainerWriters writers;
    private final ContainerPosition end;
    private final Deque<OpenContainer> toForce;

    /** @param toForce ascending, taken */
    Pause(ContainerWriters writers, ContainerPosition end, List<OpenContainer> toForce) {
        this.writers = writers;
        this.end = end;
        this.toForce = new ArrayDeque<>(toForce);
    }

    /** Everything before was appended before, what is appended from now on lies behind. */
    public ContainerPosition end() {
        return end;
    }

    /** Lets others append again, and makes durable what is before the end. */
    public void force() throws IOException {
        writers.goOn();
        toForce.forEach(OpenContainer::beginForce);
        while (!toForce.isEmpty()) {
            toForce.element().force();
            writers.settle(toForce.remove());
        }
    }

    @Override
    public void close() {
        toForce.forEach(writers::giveBack);
        writers.endPause();
    }
}
