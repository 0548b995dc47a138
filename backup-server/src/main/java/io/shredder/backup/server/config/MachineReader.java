// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.config.ConfigSection;
import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.server.running.DiskChoice;
import io.shredder.backup.server.running.Freezing;
import io.shredder.backup.server.running.MachineAccess;
import io.shredder.backup.server.running.MachineAddress;
import io.shredder.backup.server.running.MachineTask;
import io.shredder.backup.server.running.RunningBackup;
import io.shredder.backup.snapshot.SnapshotName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads one machine of a job: the options of {@code backup-machine}, by the same words. */
final class MachineReader {

    private static final MachineAddress NONE = new MachineAddress.Qmp(Path.of("/"));

    private final SnapshotName name;
    private final ConfigSection machine;
    private final Path folder;

    private MachineReader(SnapshotName name, ConfigSection machine, Path folder) {
        this.name = name;
        this.machine = machine;
        this.folder = folder;
    }

    /** @param weight unless it says one */
    static MachineConfig read(SnapshotName name, ConfigSection machine, Path folder, int weight) {
        MachineConfig read = new MachineConfig(
                name,
                new MachineReader(name, machine, folder).task(),
                JobReader.hooks(machine),
                machine.value("weight", JobReader::weight, weight));
        machine.finish();
        return read;
    }

    private MachineTask task() {
        MachineAddress address = address();
        DiskChoice disks = disks();
        MachineAccess access = new MachineAccess(
                machine.optional("guest-agent", folder::resolve),
                machine.value("freeze", Freezing::parse, Freezing.AUTO),
                machine.value("scratch", folder::resolve, Path.of(MachineAccess.USUAL_SCRATCH)));
        Duration wholeEvery =
                machine.value("whole-every", TimeSpan::positive, TimeSpan.parse(MachineTask.USUAL_WHOLE_EVERY));
        var bandwidth = machine.optional("read-bandwidth", ServerConfigReader::rate);
        try {
            return new MachineTask(address, disks, access, wholeEvery, bandwidth);
        } catch (IllegalArgumentException e) {
            machine.problem(String.valueOf(e.getMessage()));
            MachineAccess plain = new MachineAccess(Optional.empty(), Freezing.AUTO, access.scratch());
            return new MachineTask(address, disks, plain, wholeEvery, bandwidth);
        }
    }

    private MachineAddress address() {
        Optional<String> uri = machine.optional("uri", text -> text);
        List<MachineAddress> given = new ArrayList<>();
        machine.optional("libvirt", text -> (MachineAddress) new MachineAddress.Libvirt(text, uri))
                .ifPresent(given::add);
        machine.optional("qmp", folder::resolve).map(MachineAddress.Qmp::new).ifPresent(given::add);
        if (given.size() != 1) {
            machine.problem("a machine needs one of 'libvirt' and 'qmp'; here are " + given.size());
        } else if (uri.isPresent() && !machine.has("libvirt")) {
            machine.problem("uri", "'uri' says which libvirt, and means nothing with 'qmp'");
        }
        return given.isEmpty() ? NONE : given.get(0);
    }

    private DiskChoice disks() {
        Set<String> only = names("disks");
        Set<String> except = names("except");
        try {
            return new DiskChoice(only, except);
        } catch (IllegalArgumentException e) {
            machine.problem("except", String.valueOf(e.getMessage()));
            return new DiskChoice(only, Set.of());
        }
    }

    private Set<String> names(String key) {
        return new HashSet<>(machine.list(key, this::disk, "vda, vdb").orElse(List.of()));
    }

    private String disk(String disk) {
        RunningBackup.series(name, disk);
        return disk;
    }
}
