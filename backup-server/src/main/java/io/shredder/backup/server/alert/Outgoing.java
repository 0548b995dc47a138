// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import java.io.IOException;

/** Something that is to be sent, until it was taken. */
interface Outgoing {

    /** Who takes it, for the log; holds no secret. */
    String host();

    /**
     * Sends it once.
     *
     * @throws NeverTakenException if it never will be; says why
     * @throws IOException if it was not taken; says why
     */
    void send() throws IOException, InterruptedException;
}
