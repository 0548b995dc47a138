// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

/**
 * A place at a keeper that is not as it should be.
 *
 * @param keeper its number
 * @param file its whole path
 * @param offset where in the file
 * @param problem in words
 * @param owed whether the keeper was away, or failed, when this was written; else it had it
 * @param mended whether it is as it should be now
 */
public record KeeperFinding(int keeper, String file, long offset, String problem, boolean owed, boolean mended) {

    /** The same, told of what was done about it. */
    KeeperFinding with(boolean nowMended) {
        return new KeeperFinding(keeper, file, offset, problem, owed, nowMended);
    }

    @Override
    public String toString() {
        return "keeper " + keeper + ": " + file + ": offset " + offset + ": " + problem + (mended ? "; mended" : "");
    }
}
