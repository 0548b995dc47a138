// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A machine of QEMU's, 5.2 or newer, by its own protocol: disks are held by backup jobs that copy what the machine is
 * about to overwrite (QEMU's {@code docs/interop/live-block-operations.rst} calls it image fleecing), and changes are
 * tracked by dirty bitmaps ({@code docs/interop/bitmaps.rst}).
 */
public final class QmpMachine implements RunningMachine {

    private final QmpConnection qmp;
    private final MachineAccess access;
    private final Optional<UserPrincipal> user;

    private QmpMachine(QmpConnection qmp, MachineAccess access, Optional<UserPrincipal> user) {
        this.qmp = qmp;
        this.access = access;
        this.user = user;
    }

    /**
     * Connects.
     *
     * @param socket of QMP; nobody else is connected to it meanwhile
     */
    static QmpMachine connect(Path socket, MachineAccess access) throws IOException {
        QmpConnection qmp = QmpConnection.open(socket, QmpConnection.PATIENCE);
        try {
            new QmpLeftOvers(qmp).clear();
            return new QmpMachine(qmp, access, user(qmp));
        } catch (IOException | RuntimeException e) {
            qmp.close();
            throw e;
        }
    }

    /** Whom QEMU runs as, if this is the superuser, who alone may give files away to him. */
    private static Optional<UserPrincipal> user(QmpConnection qmp) throws IOException {
        return System.getProperty("user.name", "").equals("root") ? Optional.of(qmp.user()) : Optional.empty();
    }

    @Override
    public List<String> disks() throws IOException {
        return QmpDisk.of(qmp).stream().map(QmpDisk::name).toList();
    }

    @Override
    public MachinePoint hold(List<DiskPlan> plans, String point, Duration wholeEvery) throws IOException {
        List<QmpDisk> disks = QmpDisk.of(qmp);
        List<QmpPoint.Held> held = new ArrayList<>();
        for (DiskPlan plan : plans) {
            QmpDisk disk = disks.stream()
                    .filter(each -> each.name().equals(plan.disk()))
                    .findFirst()
                    .orElseThrow(() -> new IOException(qmp + " has no disk " + plan.disk() + " any more"));
            held.add(new QmpPoint.Held(plan, disk, QmpLeftOvers.newId()));
        }
        QmpPoint taken = new QmpPoint(
                qmp,
                held,
                new MachinePoint.Moment(point, wholeEvery, access.freezing()),
                MachineScratch.make(access.scratch(), user));
        try {
            taken.take(access);
            return taken;
        } catch (IOException | RuntimeException e) {
            try (taken) {
                throw e;
            }
        }
    }

    @Override
    public Path scratch() {
        return access.scratch();
    }

    @Override
    public String toString() {
        return qmp.toString();
    }

    @Override
    public void close() throws IOException {
        qmp.close();
    }
}
