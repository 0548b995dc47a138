// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import com.google.common.collect.Range;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.KeyOptions;
import io.shredder.backup.server.cli.option.SourceOptions;
import io.shredder.backup.server.cli.option.StateOptions;
import io.shredder.backup.server.cli.option.TrustedChoice;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.snapshot.SnapshotPointers;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.transfer.SnapshotDifference;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.ChunkingParams;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shredder-backup diff}. */
@Command(
        name = "diff",
        description = "Say what a snapshot has that another has not: chunks, bytes, and ranges of the image.",
        footer = {
            "",
            "Of the same image or of two; by their lists, so no chunk is fetched. A range is as fine as the chunks"
                    + " are.",
            "new: bytes that the first image has nowhere; moved: that it has elsewhere."
        },
        mixinStandardHelpOptions = true)
final class DiffCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "FIRST", description = "NAME[@ID] of the earlier snapshot.")
    private SnapshotChoice first = SnapshotChoice.parse("x");

    @Parameters(index = "1", paramLabel = "SECOND", description = "NAME[@ID] of the later one.")
    private SnapshotChoice second = SnapshotChoice.parse("x");

    @Option(names = "--ranges", description = "Print offset, length and kind of every changed range, too.")
    private boolean ranges;

    @Mixin
    private SourceOptions source = new SourceOptions();

    @Mixin
    private KeyOptions keys = new KeyOptions();

    @Mixin
    private StateOptions state = new StateOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        RepositoryKey key = keys.unlock();
        try (AgentClient client = source.connect()) {
            TrustedChoice trusted = new TrustedChoice(client, key, state.commits());
            SnapshotInfo one = trusted.find(first).info();
            SnapshotInfo two = trusted.find(second).info();
            checkSameCuts(
                    new SnapshotPointers(client, key, one).summary().params(),
                    new SnapshotPointers(client, key, two).summary().params());
            SnapshotDifference difference = SnapshotDifference.between(
                    () -> new SnapshotPointers(client, key, one), () -> new SnapshotPointers(client, key, two));
            json.print(() -> json(one, two, difference), () -> text(one, two, difference));
        }
        return 0;
    }

    /** Other parameters give other cuts, so that nearly nothing has the same identity, though the bytes be the same. */
    private static void checkSameCuts(ChunkingParams one, ChunkingParams two) {
        if (!one.equals(two)) {
            ShredderBackupMain.report(List.of("the snapshots were cut differently (" + text(one) + " and " + text(two)
                    + "): equal bytes look different"));
        }
    }

    private static String text(ChunkingParams params) {
        return params.averageBytes() + " bytes on average, " + params.digest();
    }

    private Map<String, Object> json(SnapshotInfo one, SnapshotInfo two, SnapshotDifference difference) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("first", SnapshotText.json(one));
        result.put("second", SnapshotText.json(two));
        result.put("sameBytes", difference.sameBytes());
        result.put("movedBytes", difference.movedBytes());
        result.put("newChunks", difference.newChunks());
        result.put("newBytes", difference.newBytes());
        result.put("removedChunks", difference.removedChunks());
        result.put("removedBytes", difference.removedBytes());
        result.put("changedRanges", difference.ranges().size());
        if (ranges) {
            result.put(
                    "ranges",
                    difference.ranges().entrySet().stream()
                            .map(range -> json(range.getKey(), range.getValue()))
                            .toList());
        }
        return result;
    }

    private static Map<String, Object> json(Range<Long> range, SnapshotDifference.Kind kind) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("offset", range.lowerEndpoint());
        json.put("bytes", range.upperEndpoint() - range.lowerEndpoint());
        json.put("kind", word(kind));
        return json;
    }

    private static String word(SnapshotDifference.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private String text(SnapshotInfo one, SnapshotInfo two, SnapshotDifference difference) {
        StringBuilder text = new StringBuilder();
        if (ranges) {
            difference.ranges().forEach((range, kind) -> text.append(range.lowerEndpoint())
                    .append(' ')
                    .append(range.upperEndpoint() - range.lowerEndpoint())
                    .append(' ')
                    .append(word(kind))
                    .append('\n'));
        }
        return text
                + String.format(
                        Locale.ROOT,
                        "%s (%s) to %s (%s): %s as before, %s moved; %d chunks new (%s), %d gone (%s); %d ranges"
                                + " changed",
                        SnapshotText.name(one),
                        SnapshotText.size(one.imageBytes()),
                        SnapshotText.name(two),
                        SnapshotText.size(two.imageBytes()),
                        SnapshotText.size(difference.sameBytes()),
                        SnapshotText.size(difference.movedBytes()),
                        difference.newChunks(),
                        SnapshotText.size(difference.newBytes()),
                        difference.removedChunks(),
                        SnapshotText.size(difference.removedBytes()),
                        difference.ranges().size());
    }
}
