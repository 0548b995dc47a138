// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.seal.Remarks;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What whoever backs up writes on the snapshot. */
public final class RemarkOptions {

    @Option(
            names = "--tag",
            paramLabel = "TAG",
            description = "A word for the snapshot, such as weekly or os=debian-12; may be given up to "
                    + Remarks.MAX_TAGS + " times. Sealed: 'list' and 'show' show it to whoever has the key.")
    private List<String> tags = List.of();

    @Option(names = "--note", paramLabel = "TEXT", description = "A line of text for the snapshot; sealed, too.")
    private @Nullable String note;

    /**
     * What was given.
     *
     * @throws IllegalArgumentException naming what is above a limit
     */
    public Remarks remarks() {
        return Remarks.of(List.copyOf(new LinkedHashSet<>(tags)), Optional.ofNullable(note));
    }
}
