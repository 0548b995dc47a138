// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.stage.FairShares;

/**
 * How many threads work on one image, at most, where several can read it at once.
 *
 * @param comparing with what is known of it
 * @param reading for the engine
 * @param share says how many compare now, and whose turn it is
 */
public record ImageThreads(int comparing, int reading, FairShares.Share share) {

    /** Of an image beside which there is no other. */
    ImageThreads(int comparing, int reading) {
        this(comparing, reading, new FairShares(comparing).join(FairShares.USUAL_WEIGHT));
    }

    int comparingNow() {
        return Math.min(comparing, share.threads());
    }
}
