// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeeperState.Condition;
import io.shredder.backup.keepers.KeepersState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeepersTextTest {

    private static final Instant SINCE = Instant.parse("2026-11-26T09:00:00Z");
    private static final KeeperState WHOLE =
            new KeeperState(Condition.WHOLE, "/disk1/keeper", "", Optional.empty(), 0, 0, 0, 0);
    private static final KeeperState AWAY = new KeeperState(
            Condition.AWAY, "/disk2/keeper", "/disk2/keeper isn't there", Optional.empty(), 12, 0, 0, 0);
    private static final KeeperState SILENT =
            new KeeperState(Condition.SILENT, "/disk3/keeper", "it doesn't answer", Optional.empty(), 0, 0, 0, 0);
    private static final KeeperState LEFT_OUT =
            new KeeperState(Condition.LEFT_OUT, "/disk4/keeper", "disk full", Optional.of(SINCE), 3, 2, 0, 0);
    private static final KeeperState FILLING = new KeeperState(
            Condition.FILLING, "/disk5/keeper", "it is new", Optional.empty(), 7, 0, 1_200_000, 3_400_000);
    private static final KeeperState LACKING = new KeeperState(Condition.WHOLE, "", "", Optional.empty(), 4, 0, 0, 0);
    private static final KeeperState OWED =
            new KeeperState(Condition.WHOLE, "", "", Optional.empty(), 4, 0, 1_200_000, 3_400_000);
    private static final KeeperState ROTTEN = new KeeperState(Condition.WHOLE, "", "", Optional.empty(), 4, 1, 0, 0);

    private static KeepersState store(int epoch, boolean writable, boolean readable, KeeperState... keepers) {
        List<KeeperState> all = new ArrayList<>(Arrays.asList(keepers));
        all.addAll(Collections.nCopies(6 - keepers.length, WHOLE));
        return new KeepersState(4, 2, epoch, writable, readable, 0, readable ? 1 : 0, readable ? 0 : 3, all);
    }

    @Test
    void aWholeStoreWarnsOfNothing() {
        KeepersState whole = new KeepersState(4, 2, 9, true, true, 1, 2, 0, Collections.nCopies(6, WHOLE));
        assertThat(KeepersText.warning(whole)).isEmpty();
        assertThat(KeepersText.summary(whole))
                .isEqualTo("all 6 are whole: the store survives 2 more, backups survive 1 more");
        assertThat(KeepersText.lines(whole))
                .hasSize(7)
                .startsWith(
                        "keepers:    4 + 2, epoch 9; the store survives 2 more, backups survive 1 more",
                        "keeper 0:   whole, /disk1/keeper");
    }

    @Test
    void oneLineNamesWhatIsNotWholeAndWhatTheStoreSurvives() {
        assertThat(KeepersText.warning(store(9, true, true, WHOLE, AWAY)))
                .contains("keeper 1 (/disk2/keeper) is away: the store survives 1 more, backups survive 0 more");
        assertThat(KeepersText.warning(store(9, false, true, AWAY, SILENT)))
                .contains("keeper 0 (/disk2/keeper) is away, keeper 1 (/disk3/keeper) is silent: the store survives"
                        + " 1 more, backups can't go on: 5 keepers must take changes");
        assertThat(KeepersText.warning(store(0, false, true)))
                .contains("the store survives 1 more, backups can't go on: too few keepers were there when the agent"
                        + " started");
        assertThat(KeepersText.warning(store(9, true, false, LACKING)))
                .contains("keeper 0 lacks 4 files: not all of the store can be read, of 3 files it can't be told what"
                        + " counts: 'backup-agent check-keepers' names them");
        assertThat(KeepersText.warning(store(9, true, true, ROTTEN)).orElseThrow())
                .startsWith("keeper 0 has 1 damaged places: ");
        assertThat(KeepersText.warning(store(9, true, true, AWAY, SILENT, LEFT_OUT, FILLING, LACKING, ROTTEN))
                        .orElseThrow())
                .contains("keeper 2 (/disk4/keeper) is left out, keeper 3 (/disk5/keeper) is being filled and 2 more"
                        + " are not whole: ");
    }

    @Test
    void eachKeeperHasALine() {
        assertThat(KeepersText.lines(store(9, true, true, AWAY, SILENT, LEFT_OUT, FILLING, LACKING, OWED)))
                .containsSubsequence(
                        "keeper 0:   away, /disk2/keeper: /disk2/keeper isn't there; lacks 12 files",
                        "keeper 1:   silent, /disk3/keeper: it doesn't answer",
                        "keeper 2:   left out since 2026-11-26T09:00:00Z, /disk4/keeper: disk full; lacks 3 files;"
                                + " 2 places are damaged",
                        "keeper 3:   being filled, /disk5/keeper: 1.2 MB of 3.4 MB; lacks 7 files",
                        "keeper 4:   whole: lacks 4 files",
                        "keeper 5:   whole: lacks 4 files, of which it got 1.2 MB of 3.4 MB");
    }

    @Test
    void programsAreToldTheSame() {
        KeepersState state = new KeepersState(1, 1, 9, true, true, 0, 1, 0, List.of(LEFT_OUT, FILLING));
        String store = "{\"data\":1,\"parity\":1,\"epoch\":9,\"writable\":true,\"readable\":true,\"spareToWrite\":0,"
                + "\"spareToRead\":1,\"undecidedFiles\":0,\"keepers\":";
        String first = "\"since\":\"2026-11-26T09:00:00Z\",\"lackingFiles\":3,\"damagedPlaces\":2}";
        String second = "\"lackingFiles\":7,\"damagedPlaces\":0,\"filledBytes\":1200000,\"toFillBytes\":3400000}";
        assertThat(Json.line(KeepersText.json(state)))
                .isEqualTo(store
                        + "[{\"place\":0,\"state\":\"left-out\",\"home\":\"/disk4/keeper\",\"why\":\"disk full\","
                        + first + ",{\"place\":1,\"state\":\"being-filled\",\"home\":\"/disk5/keeper\","
                        + "\"why\":\"it is new\"," + second + "]}");
        assertThat(Json.line(KeepersText.json(state.withoutHomes())))
                .isEqualTo(store + "[{\"place\":0,\"state\":\"left-out\"," + first
                        + ",{\"place\":1,\"state\":\"being-filled\"," + second + "]}");
    }
}
