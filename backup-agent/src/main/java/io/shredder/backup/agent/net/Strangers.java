// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Connections whose peers have not shown a certificate yet. Thread-safe. */
public final class Strangers {

    private final int most;
    private final Set<Channel> channels = new LinkedHashSet<>();

    /** @param most at once */
    public Strangers(int most) {
        this.most = most;
    }

    /**
     * Somebody connected, who knows whom. If there are too many of them, the oldest is cut off: a handshake takes less
     * time than it had.
     */
    public void add(Channel channel) {
        Optional<Channel> oldest;
        synchronized (this) {
            channels.add(channel);
            oldest = channels.size() > most ? removeOldest() : Optional.empty();
        }
        channel.closeFuture().addListener(closed -> known(channel));
        oldest.ifPresent(cutOff -> {
            var unused = cutOff.close();
        });
    }

    private Optional<Channel> removeOldest() {
        Iterator<Channel> all = channels.iterator();
        Channel oldest = all.next();
        all.remove();
        return Optional.of(oldest);
    }

    /** A stranger has shown its certificate, or is gone. */
    public synchronized void known(Channel channel) {
        channels.remove(channel);
    }
}
