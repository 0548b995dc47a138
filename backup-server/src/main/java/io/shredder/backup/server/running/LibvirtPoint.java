// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import com.google.common.base.Stopwatch;
import io.shredder.backup.server.source.NbdUri;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disks of a domain of libvirt's at one moment: a backup in pull mode, which begins with a checkpoint of ours.
 * Checkpoints of before stay until there is a snapshot of this moment.
 */
final class LibvirtPoint implements MachinePoint {

    private static final Logger LOG = LoggerFactory.getLogger(LibvirtPoint.class);
    private static final String BITMAP = "changes";

    private final Virsh virsh;
    private final List<DiskPlan> plans;
    private final Moment moment;
    private final MachineScratch scratch;
    private final Duration thawPause;
    private final Set<String> kept = new HashSet<>();
    private final List<String> warnings = new ArrayList<>();
    private List<String> checkpoints = List.of();
    private Optional<Duration> frozen = Optional.empty();
    private boolean begun;
    private boolean closed;

    /** Why changes are not told, if they aren't. */
    private Optional<String> refusal = Optional.empty();

    /**
     * With nothing held yet.
     *
     * @param thawPause before a guest that may be frozen is told to thaw again
     */
    LibvirtPoint(Virsh virsh, List<DiskPlan> plans, Moment moment, MachineScratch scratch, Duration thawPause) {
        this.virsh = virsh;
        this.thawPause = thawPause;
        this.plans = List.copyOf(plans);
        this.moment = moment;
        this.scratch = scratch;
    }

    /** Holds the disks; if that fails, closing takes back what was done. */
    void take() throws IOException {
        checkpoints = virsh.run("checkpoint-list", "--name")
                .lines()
                .map(String::strip)
                .toList();
        if (!hasAgentToAsk()) {
            begin();
            return;
        }
        Stopwatch rest = Stopwatch.createStarted();
        LibvirtFreeze guest = new LibvirtFreeze(virsh, thawPause);
        try {
            guest.freeze(moment.freezing()).ifPresent(warnings::add);
            begin();
        } finally {
            guest.thaw().ifPresent(warnings::add);
        }
        frozen = guest.isFrozen() ? Optional.of(rest.elapsed()) : Optional.empty();
    }

    private void begin() throws IOException {
        Path checkpoint = scratch.text("checkpoint.xml", checkpointXml());
        try {
            virsh.run("backup-begin", scratch.text("backup.xml", backupXml()).toString(), checkpoint.toString());
        } catch (IOException e) {
            if (plans.stream().noneMatch(plan -> since(plan).isPresent())) {
                throw e;
            }
            LOG.warn("changes are not told: {}", e.getMessage());
            refusal = Optional.of(String.valueOf(e.getMessage()));
            virsh.run("backup-begin", scratch.text("backup.xml", backupXml()).toString(), checkpoint.toString());
        }
        begun = true;
    }

    private boolean hasAgentToAsk() throws IOException {
        if (moment.freezing() == Freezing.NEVER) {
            return false;
        }
        boolean hasAgent = new DomainXml(virsh.run("dumpxml")).hasGuestAgent();
        if (!hasAgent && moment.freezing() == Freezing.REQUIRED) {
            throw new IOException("libvirt:" + virsh.domain() + " has no channel to a guest agent, and freezing is"
                    + " required: give it one (org.qemu.guest_agent.0)");
        }
        return hasAgent;
    }

    /** The point from which changes can be told. */
    private Optional<String> since(DiskPlan plan) {
        return refusal.isPresent()
                ? Optional.empty()
                : plan.lastPoint().filter(last -> checkpoints.contains(plan.bitmap(last)));
    }

    private String checkpointXml() {
        StringBuilder xml =
                new StringBuilder("<domaincheckpoint><name>" + plans.get(0).bitmap(moment.point()) + "</name><disks>");
        for (DiskPlan plan : plans) {
            xml.append("<disk name='").append(DomainXml.quoted(plan.disk())).append("' checkpoint='bitmap'/>");
        }
        return xml.append("</disks></domaincheckpoint>").toString();
    }

    private String backupXml() {
        StringBuilder xml = new StringBuilder("<domainbackup mode='pull'><server transport='unix' socket='"
                + DomainXml.quoted(scratch.socket().toString()) + "'/><disks>");
        for (DiskPlan plan : plans) {
            String disk = DomainXml.quoted(plan.disk());
            String mode = since(plan)
                    .map(last -> "backupmode='incremental' incremental='" + plan.bitmap(last) + "' exportbitmap='"
                            + BITMAP + "'")
                    .orElse("backupmode='full'");
            xml.append("<disk name='" + disk + "' backup='yes' type='file' exportname='" + disk + "' " + mode
                    + "><scratch file='"
                    + DomainXml.quoted(scratch.file(plan.disk() + ".qcow2").toString())
                    + "'/></disk>");
        }
        return xml.append("</disks></domainbackup>").toString();
    }

    @Override
    public List<DiskAtPoint> disks() {
        return plans.stream().map(this::atPoint).toList();
    }

    private DiskAtPoint atPoint(DiskPlan plan) {
        NbdUri uri = NbdUri.parse("nbd+unix:///" + plan.disk() + "?socket=" + scratch.socket());
        String whyNot = refusal.orElse("libvirt has no checkpoint of the last snapshot");
        return new DiskAtPoint(
                plan.disk(),
                uri,
                new TrackedDisk(moment.point(), moment.wholeEvery(), since(plan), BITMAP, whyNot, uri));
    }

    @Override
    public void check(String disk) throws IOException {
        try {
            virsh.run("backup-dumpxml");
        } catch (IOException e) {
            throw new IOException(
                    "disk " + disk
                            + " was let go of while it was read, so what was read is of no one moment: the backup"
                            + " that held it ended, as when somebody aborts it, or what the machine overwrites can't be"
                            + " written: " + e.getMessage(),
                    e);
        }
    }

    @Override
    public void kept(String disk) {
        kept.add(disk);
    }

    @Override
    public Optional<Duration> frozen() {
        return frozen;
    }

    @Override
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (scratch) {
            if (begun) {
                attempt("domjobabort");
                forget();
            }
        }
    }

    /** Checkpoints that no last snapshot is of. */
    private void forget() {
        Set<String> needed = new HashSet<>();
        for (DiskPlan plan : plans) {
            if (kept.contains(plan.disk())) {
                needed.add(plan.bitmap(moment.point()));
            } else {
                plan.lastPoint().ifPresent(last -> needed.add(plan.bitmap(last)));
                // Whether an agent has committed what was not answered is seen by the next backup.
                needed.add(plan.bitmap(moment.point()));
            }
        }
        for (String checkpoint : checkpoints) {
            if (checkpoint.startsWith(plans.get(0).prefix()) && !needed.contains(checkpoint)) {
                attempt("checkpoint-delete", checkpoint);
            }
        }
    }

    private void attempt(String command, String... arguments) {
        try {
            virsh.run(command, arguments);
        } catch (IOException e) {
            LOG.warn("could not be undone: {}", e.getMessage());
        }
    }
}
