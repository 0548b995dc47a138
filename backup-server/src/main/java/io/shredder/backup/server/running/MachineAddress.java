// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Which machine, and how it is reached. */
public sealed interface MachineAddress {

    /**
     * A machine of QEMU's, by its own protocol.
     *
     * @param socket of QMP
     */
    record Qmp(Path socket) implements MachineAddress {

        @Override
        public RunningMachine connect(MachineAccess access) throws IOException {
            return QmpMachine.connect(socket, access);
        }

        @Override
        public String toString() {
            return "qmp:" + socket;
        }
    }

    /**
     * A domain of libvirt's.
     *
     * @param domain its name
     * @param uri which libvirt; if it doesn't say, {@code LIBVIRT_DEFAULT_URI} does, or libvirt's own default
     */
    record Libvirt(String domain, Optional<String> uri) implements MachineAddress {

        @Override
        public RunningMachine connect(MachineAccess access) throws IOException {
            return LibvirtMachine.connect(new Virsh(uri, domain), access);
        }

        @Override
        public String toString() {
            return "libvirt:" + domain;
        }
    }

    /**
     * Connects; takes away what a backup left in the machine that was killed.
     *
     * @throws IOException saying what is to be done, if the machine doesn't run or is being backed up
     */
    RunningMachine connect(MachineAccess access) throws IOException;

    /**
     * Reads one.
     *
     * @param uri which libvirt
     * @throws IllegalArgumentException saying what can be used
     */
    static MachineAddress parse(String text, Optional<String> uri) {
        if (text.startsWith("qmp:") && text.length() > "qmp:".length()) {
            if (uri.isPresent()) {
                throw new IllegalArgumentException("a URI of libvirt goes with libvirt:DOMAIN, not with " + text);
            }
            return new Qmp(Path.of(text.substring("qmp:".length())));
        }
        if (text.startsWith("libvirt:") && text.length() > "libvirt:".length()) {
            return new Libvirt(text.substring("libvirt:".length()), uri);
        }
        throw new IllegalArgumentException("'" + text + "' is no running machine: use qmp:SOCKET or libvirt:DOMAIN");
    }
}
