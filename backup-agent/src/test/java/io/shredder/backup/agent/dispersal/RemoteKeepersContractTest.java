// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StorageContract;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** What every storage does, over keepers of which some or all are on other machines, and some dead. */
class RemoteKeepersContractTest {

    /** Of 2 + 2 keepers. */
    abstract static class Mixed extends StorageContract {

        private final List<RemoteKeeperFolders> started = new ArrayList<>();
        private final int remote;
        private final int[] dead;

        /**
         * @param remote so many, the first ones, are on other machines
         * @param dead these die once the store was made
         */
        Mixed(int remote, int... dead) {
            this.remote = remote;
            this.dead = dead;
        }

        @Override
        protected Storage openEmpty(Path folder) throws IOException {
            RemoteKeeperFolders keepers = new RemoteKeeperFolders(folder.resolve("keepers"), 2, 2, remote);
            started.add(keepers);
            keepers.open().close();
            for (int index : dead) {
                keepers.kill(index);
            }
            return keepers.open();
        }

        @AfterEach
        void stop() throws IOException {
            for (RemoteKeeperFolders keepers : started) {
                keepers.close();
            }
        }
    }

    @Nested
    class OfTwoAndTwoOfWhichOneIsElsewhere extends Mixed {
        OfTwoAndTwoOfWhichOneIsElsewhere() {
            super(1);
        }
    }

    @Nested
    @InTurn(days = 3)
    class OfTwoAndTwoOfWhichThreeAreElsewhereAndOneDead extends Mixed {
        OfTwoAndTwoOfWhichThreeAreElsewhereAndOneDead() {
            super(3, 1);
        }
    }

    @Nested
    @InTurn(days = 3)
    class OfTwoAndTwoThatAreAllElsewhereAndOneDead extends Mixed {
        OfTwoAndTwoThatAreAllElsewhereAndOneDead() {
            super(4, 0);
        }
    }
}
