// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.LateHome;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StorageContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** What every storage does, with 0 to as many keepers lost as there are parity keepers. */
class DispersedStorageContractTest {

    /** As many as a commit needs are there, from the start. */
    abstract static class Dead extends StorageContract {

        private final int data;
        private final int parity;
        private final int[] dead;

        Dead(int data, int parity, int... dead) {
            this.data = data;
            this.parity = parity;
            this.dead = dead;
        }

        @Override
        protected Storage openEmpty(Path folder) throws IOException {
            RemovableFolders folders = RemovableFolders.make(folder.resolve("keepers"), data, parity);
            folders.open().close();
            for (int index : dead) {
                folders.takeAway(index);
            }
            return folders.open();
        }
    }

    /** All parity keepers' number dies before each read, others each time; a commit needs more than then are left. */
    abstract static class Dying extends StorageContract {

        private final int data;
        private final int parity;

        Dying(int data, int parity) {
            this.data = data;
            this.parity = parity;
        }

        @Override
        protected Storage openEmpty(Path folder) throws IOException {
            return new DyingKeepers(RemovableFolders.make(folder.resolve("keepers"), data, parity));
        }
    }

    /** Of all keepers what is appended is not found before it is shown. */
    @Nested
    class OfTwoAndTwoThatShowLate extends StorageContract {
        @Override
        protected Storage openEmpty(Path folder) throws IOException {
            RemovableFolders folders = RemovableFolders.make(folder.resolve("keepers"), 2, 2);
            List<KeeperHome> homes = new ArrayList<>();
            for (int i = 0; i < folders.count(); i++) {
                homes.add(new LateHome(folders.keeper(i)));
            }
            return DispersedStorage.open(new DispersalConfig(2, 2, homes));
        }
    }

    @Nested
    class OfTwoAndOne extends Dead {
        OfTwoAndOne() {
            super(2, 1);
        }
    }

    @Nested
    class OfTwoAndOneWithOneDying extends Dying {
        OfTwoAndOneWithOneDying() {
            super(2, 1);
        }
    }

    @Nested
    class OfTwoAndTwoWithOneDead extends Dead {
        OfTwoAndTwoWithOneDead() {
            super(2, 2, 1);
        }
    }

    @Nested
    class OfTwoAndTwoWithTwoDying extends Dying {
        OfTwoAndTwoWithTwoDying() {
            super(2, 2);
        }
    }

    @Nested
    class OfFourAndTwo extends Dead {
        OfFourAndTwo() {
            super(4, 2);
        }
    }

    @Nested
    class OfFourAndTwoWithADataKeeperDead extends Dead {
        OfFourAndTwoWithADataKeeperDead() {
            super(4, 2, 0);
        }
    }

    @Nested
    class OfFourAndTwoWithAParityKeeperDead extends Dead {
        OfFourAndTwoWithAParityKeeperDead() {
            super(4, 2, 5);
        }
    }

    @Nested
    class OfFourAndTwoWithTwoDying extends Dying {
        OfFourAndTwoWithTwoDying() {
            super(4, 2);
        }
    }

    @Nested
    class OfFiveAndThreeWithTwoDead extends Dead {
        OfFiveAndThreeWithTwoDead() {
            super(5, 3, 2, 7);
        }
    }

    @Nested
    class OfFiveAndThreeWithThreeDying extends Dying {
        OfFiveAndThreeWithThreeDying() {
            super(5, 3);
        }
    }

    @Nested
    class OfOneAndOne extends Dead {
        OfOneAndOne() {
            super(1, 1);
        }
    }
}
