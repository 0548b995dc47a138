// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.VerificationKey;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.UnprovedSnapshot;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** By what a command that goes by rules tells genuine snapshots from others. */
public final class ProofOptions {

    /** To check so many signatures without AWS-LC takes as long as to load it. */
    private static final int WITHOUT_LIBRARY = 1000;

    @Option(
            names = "--verification-key",
            paramLabel = "FILE",
            description =
                    "Proves snapshots without being able to read them; written by 'key verification'. May be given for"
                            + " several keys.")
    private List<Path> files = List.of();

    @Option(
            names = "--unproved",
            description = "Go by what the agent says alone. Whoever may append snapshots can then have others deleted.")
    private boolean unproved;

    @ArgGroup(exclusive = false, heading = "Or the key itself, which also proves what versions before 0.2 sealed:%n")
    private @Nullable KeyOptions keys;

    /** Whether one of the options was given. */
    public boolean isGiven() {
        return unproved || !files.isEmpty() || keys != null;
    }

    /** Proves the snapshots of one series; opens its keys once. */
    public interface Proof {
        /** What rules may count, ascending, and what stands apart. */
        Sorted sort(List<SnapshotInfo> series, UUID home);
    }

    /** A series, sorted. */
    public record Sorted(List<SnapshotInfo> genuine, List<UnprovedSnapshot> apart) {}

    /**
     * Opens what proves.
     *
     * @param snapshots how many are going to be sorted
     */
    public Proof proof(int snapshots) throws IOException {
        if (unproved) {
            return (series, home) -> new Sorted(series, List.of());
        }
        List<VerificationKey> read = new ArrayList<>();
        for (Path file : files) {
            read.add(VerificationKey.read(file));
        }
        Optional<RepositoryKey> key = key();
        if (!read.isEmpty() && snapshots > WITHOUT_LIBRARY) {
            NativeCryptography.install();
        }
        return (series, home) -> sort(series, home, read, key);
    }

    private Optional<RepositoryKey> key() throws IOException {
        if (keys == null) {
            return Optional.empty();
        }
        NativeCryptography.install(); // Without it nothing is opened, so the program begins without the library.
        return Optional.of(keys.unlock());
    }

    private static Sorted sort(
            List<SnapshotInfo> series, UUID home, List<VerificationKey> signers, Optional<RepositoryKey> key) {
        Set<SnapshotInfo> opened = new HashSet<>();
        key.ifPresent(
                secret -> ProvedSeries.of(series, secret, home).proved().forEach(proved -> opened.add(proved.info())));
        // On all cores: to check a signature takes long.
        Map<Boolean, List<SnapshotInfo>> sorted = series.parallelStream()
                .collect(Collectors.partitioningBy(snapshot -> opened.contains(snapshot)
                        || signers.stream().anyMatch(signer -> signer.signed(home, snapshot))));
        return new Sorted(sorted.getOrDefault(true, List.of()), apart(sorted.getOrDefault(false, List.of())));
    }

    private static List<UnprovedSnapshot> apart(List<SnapshotInfo> snapshots) {
        return snapshots.stream()
                .map(snapshot -> new UnprovedSnapshot(
                        snapshot, "no key that was given proves it, so no rule counts or deletes it"))
                .toList();
    }
}
