// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.changes.ChangeTracker;
import io.shredder.backup.server.changes.UntrueChangesException;
import io.shredder.backup.server.source.CheckedImage;
import io.shredder.backup.server.source.ImageAddress;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.source.OnReadError;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A backup of a running machine: all its disks as they are at one moment, each a snapshot of a series of its own,
 * called as machine and disk. One thread, but for {@link #close}, which ends it and waits for nothing.
 */
public final class RunningBackup implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(RunningBackup.class);
    private static final int POINT_BYTES = 8;

    private final Site site;
    private final SnapshotName name;
    private volatile Closeable underWay = () -> {};
    private volatile Optional<String> givenUp = Optional.empty();

    /** What goes to an agent, and how. */
    public interface Site {

        /** A new connection, which the caller closes. */
        AgentClient connect() throws IOException;

        /** A session on a connection. */
        BackupSession session(AgentClient agent) throws IOException;

        /** What seals. */
        RepositoryKey key();

        /** What this site has seen of the series. */
        KnownCommits known();

        /** Runs one disk's session, and shows how it gets on. */
        BackupReport during(SnapshotName series, long bytes, BackupSession session, Running running) throws IOException;
    }

    /** A session that runs. */
    public interface Running {
        /** Returns when it is through. */
        BackupReport run() throws IOException;
    }

    /**
     * What its owner chose.
     *
     * @param cuts how the disks are cut
     * @param remarks on each snapshot
     * @param readPace how fast disks may be read
     * @param wholeEvery how often every byte is read
     */
    public record Choice(ImageCuts cuts, Remarks remarks, Pace readPace, Duration wholeEvery) {}

    /**
     * What became of one disk.
     *
     * @param series its snapshots'
     * @param report of its backup, if there is a snapshot
     * @param error why there is none
     */
    public record DiskOutcome(SnapshotName series, Optional<BackupReport> report, Optional<IOException> error) {}

    /**
     * What became of all.
     *
     * @param disks in their order
     * @param frozen how long the guest's file systems rested at most, if they did
     * @param warnings what else its owner should know
     */
    public record Outcome(List<DiskOutcome> disks, Optional<Duration> frozen, List<String> warnings) {}

    /** @param name of the machine, with which its series' names begin */
    public RunningBackup(Site site, SnapshotName name) {
        this.site = site;
        this.name = name;
    }

    /** The series of a disk's snapshots. */
    public static SnapshotName series(SnapshotName name, String disk) {
        return new SnapshotName(name.value() + "." + disk);
    }

    /**
     * Backs up; the disk that fails does not keep others from it.
     *
     * @param machine stays the caller's
     * @param disks those that are wanted
     * @throws IOException if none of the disks could be held
     */
    public Outcome run(RunningMachine machine, List<String> disks, Choice choice) throws IOException {
        List<DiskPlan> plans = new ArrayList<>();
        for (String disk : disks) {
            plans.add(plan(disk));
        }
        byte[] random = new byte[POINT_BYTES];
        new SecureRandom().nextBytes(random);
        String point = HexFormat.of().formatHex(random);
        return ScratchWatch.during(machine.scratch(), this, () -> run(machine, plans, point, choice));
    }

    private Outcome run(RunningMachine machine, List<DiskPlan> plans, String point, Choice choice) throws IOException {
        try (MachinePoint held = machine.hold(plans, point, choice.wholeEvery())) {
            List<DiskOutcome> outcomes = new ArrayList<>();
            for (DiskAtPoint disk : held.disks()) {
                DiskOutcome outcome = backUp(held, disk, choice);
                if (outcome.report().isPresent()) {
                    held.kept(disk.disk());
                }
                outcomes.add(outcome);
            }
            machine.definition().ifPresent(definition -> outcomes.add(backUp(definition, choice)));
            return new Outcome(outcomes, held.frozen(), held.warnings());
        }
    }

    /** What the agent has of the disk is asked before the machine is held. */
    private DiskPlan plan(String disk) throws IOException {
        checkNotEnded();
        SnapshotName series = series(name, disk);
        try (AgentClient agent = site.connect()) {
            Optional<String> last = new AgentSeries(agent, site.key(), site.known(), series)
                    .checked()
                    .last()
                    .flatMap(ChangeTracker::pointOf);
            return new DiskPlan(disk, DiskPlan.chain(site.key().id().toString(), AgentSeries.home(agent), name), last);
        }
    }

    private DiskOutcome backUp(MachinePoint held, DiskAtPoint disk, Choice choice) {
        SnapshotName series = series(name, disk.disk());
        try {
            return new DiskOutcome(series, Optional.of(attempt(held, disk, disk.tracker(), choice)), Optional.empty());
        } catch (UntrueChangesException e) {
            LOG.warn("{}: everything is read, since the bitmap lies: {}", series, e.getMessage());
            return wholly(held, disk, choice, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return failed(series, e);
        }
    }

    private DiskOutcome failed(SnapshotName series, IOException e) {
        IOException why = givenUp.map(reason -> new IOException("the backup was given up: " + reason, e))
                .orElse(e);
        return new DiskOutcome(series, Optional.empty(), Optional.of(why));
    }

    private DiskOutcome wholly(MachinePoint held, DiskAtPoint disk, Choice choice, String lie) {
        SnapshotName series = series(name, disk.disk());
        try {
            ChangeTracker nothing = new TrackedDisk(
                    disk.tracker().point(), choice.wholeEvery(), Optional.empty(), "", "its bitmap lies", disk.uri());
            return new DiskOutcome(
                    series, Optional.of(attempt(held, disk, nothing, choice).afterLie(lie)), Optional.empty());
        } catch (IOException e) {
            return failed(series, e);
        }
    }

    private BackupReport attempt(MachinePoint held, DiskAtPoint disk, ChangeTracker tracker, Choice choice)
            throws IOException {
        SnapshotName series = series(name, disk.disk());
        try (ImageSource source = new CheckedImage(
                        new HeldDisk(new ImageAddress.Nbd(disk.uri()).open(), held, disk.disk()),
                        "disk " + disk.disk(),
                        OnReadError.FAIL,
                        0);
                AgentClient agent = site.connect()) {
            underWay = both(source, agent);
            checkNotEnded();
            BackupSession session = site.session(agent);
            return site.during(
                    series,
                    source.imageBytes(),
                    session,
                    () -> session.run(
                            source, series, choice.cuts(), choice.remarks(), choice.readPace(), Optional.of(tracker)));
        } finally {
            underWay = () -> {};
        }
    }

    private DiskOutcome backUp(MachineDefinition definition, Choice choice) {
        SnapshotName series = series(name, MachineDefinition.SERIES);
        try {
            Path folder = Files.createTempDirectory("shredder-"); // Nobody else may look into it.
            Path file = folder.resolve("definition.zip");
            try {
                definition.write(file);
                return new DiskOutcome(series, Optional.of(attempt(file, series, choice)), Optional.empty());
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            return new DiskOutcome(series, Optional.empty(), Optional.of(e));
        }
    }

    private BackupReport attempt(Path file, SnapshotName series, Choice choice) throws IOException {
        try (ImageSource source = new ImageAddress.RawFile(file).open();
                AgentClient agent = site.connect()) {
            BackupSession session = site.session(agent);
            return site.during(
                    series,
                    source.imageBytes(),
                    session,
                    () -> session.run(source, series, choice.cuts(), choice.remarks(), choice.readPace()));
        }
    }

    private static Closeable both(Closeable first, Closeable second) {
        return () -> {
            try (first) {
                second.close();
            }
        };
    }

    private void checkNotEnded() throws IOException {
        if (givenUp.isPresent()) {
            throw new IOException("the backup was given up: " + givenUp.get());
        }
    }

    /** As {@link #close}; the reason is what is said then. */
    void giveUp(String reason) throws IOException {
        givenUp = Optional.of(reason);
        underWay.close();
    }

    /** Gives up; {@link #run} then takes back what it did to the machine. */
    @Override
    public void close() throws IOException {
        giveUp("it was told to end");
    }
}
