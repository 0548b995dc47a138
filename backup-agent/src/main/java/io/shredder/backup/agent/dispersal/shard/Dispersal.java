// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import io.shredder.engine.coding.ErasureCode;
import io.shredder.engine.coding.ErasureCode.Kind;
import java.util.UUID;

/**
 * How a store is dispersed.
 *
 * @param store the store's id, which each keeper knows
 * @param data keepers that give everything back
 * @param parity keepers that may be lost
 */
public record Dispersal(UUID store, int data, int parity) {

    /** Refuses what can't be coded. */
    public Dispersal {
        new ErasureCode(Kind.RS, data, parity);
    }

    public ErasureCode code() {
        return new ErasureCode(Kind.RS, data, parity);
    }

    public int keepers() {
        return data + parity;
    }

    /**
     * How many keepers must have a change before it counts. One of them may be lost at once, and those that are left
     * of any {@link #data} show that it was made.
     */
    public int leastToChange() {
        return Math.max(data, parity) + 1;
    }

    /**
     * How many keepers that say the same decide what a small file is. Of so many one at least doesn't lie if no more
     * lie than there is parity; and no others can outvote so many that are more than half.
     */
    public int leastToDecide() {
        return Math.min(parity + 1, keepers() / 2 + 1);
    }

    /** So many keepers that have a copy, or a mark of deletion, are never overruled by those that have none. */
    public int leastToHave() {
        return Math.min(data, parity + 1);
    }

    /** How many keepers a writer must win: any two such sets meet. */
    public int leastToTakeOver() {
        return Math.max(data, keepers() / 2 + 1);
    }

    /**
     * How many whole keepers must know of another's replacement. They have everything, and every set of keepers that a
     * writer wins has one of them, also if the replaced one is in it.
     */
    public int leastToReplace() {
        return Math.max(data, keepers() - leastToTakeOver() + 1);
    }
}
