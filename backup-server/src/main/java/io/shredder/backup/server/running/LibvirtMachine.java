// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A domain of libvirt's, 7.2 or newer, by libvirt's own backups in pull mode and its checkpoints (its {@code
 * formatbackup} and {@code formatcheckpoint}), which look after QEMU's bitmaps.
 */
public final class LibvirtMachine implements RunningMachine {

    private static final Logger LOG = LoggerFactory.getLogger(LibvirtMachine.class);
    private static final Pattern OURS = Pattern.compile("(.*/shredder-([0-9]+)-[^/]*)/nbd");

    private final Virsh virsh;
    private final MachineAccess access;

    private LibvirtMachine(Virsh virsh, MachineAccess access) {
        this.virsh = virsh;
        this.access = access;
    }

    /** Connects; ends a backup that another process of ours left when it was killed. */
    static LibvirtMachine connect(Virsh virsh, MachineAccess access) throws IOException {
        String domain = virsh.domain();
        String state = virsh.run("domstate").strip();
        if (!state.equals("running") && !state.equals("paused")) {
            throw new IOException(
                    "libvirt:" + domain + " is in state '" + state + "': back up its disks as files, or start it");
        }
        endLeftOver(virsh);
        return new LibvirtMachine(virsh, access);
    }

    private static void endLeftOver(Virsh virsh) throws IOException {
        Optional<String> socket;
        try {
            socket = new DomainXml(virsh.run("backup-dumpxml")).backupSocket();
        } catch (IOException e) {
            LOG.debug("no backup is under way", e);
            return;
        }
        Matcher ours = OURS.matcher(socket.orElse(""));
        if (!ours.matches()) {
            throw new IOException("libvirt:" + virsh.domain() + " is being backed up by something else: wait for its"
                    + " end, or end it by 'virsh domjobabort " + virsh.domain() + "'");
        }
        if (MachineScratch.isLive(Path.of(ours.group(1)))) {
            throw new IOException("libvirt:" + virsh.domain() + " is being backed up by process " + ours.group(2)
                    + ": wait for its end, or end it");
        }
        LOG.warn("libvirt:{}: a backup that was killed is ended", virsh.domain());
        virsh.run("domjobabort");
    }

    @Override
    public List<String> disks() throws IOException {
        return new DomainXml(virsh.run("dumpxml")).disks();
    }

    @Override
    public MachinePoint hold(List<DiskPlan> plans, String point, Duration wholeEvery) throws IOException {
        MachineScratch folder = MachineScratch.make(access.scratch(), user());
        LibvirtPoint taken = new LibvirtPoint(
                virsh,
                plans,
                new MachinePoint.Moment(point, wholeEvery, access.freezing()),
                folder,
                LibvirtFreeze.USUAL_PAUSE);
        try {
            taken.take();
            return taken;
        } catch (IOException | RuntimeException e) {
            try (taken) {
                throw e;
            }
        }
    }

    private Optional<UserPrincipal> user() throws IOException {
        Optional<String> user = System.getProperty("user.name", "").equals("root") ? virsh.user() : Optional.empty();
        return user.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(user.get()));
    }

    @Override
    public Optional<MachineDefinition> definition() throws IOException {
        String xml = virsh.run("dumpxml", "--inactive", "--security-info");
        return Optional.of(new MachineDefinition(xml, new DomainXml(xml).nvram()));
    }

    @Override
    public Path scratch() {
        return access.scratch();
    }

    @Override
    public String toString() {
        return "libvirt:" + virsh.domain();
    }

    @Override
    public void close() {}
}
