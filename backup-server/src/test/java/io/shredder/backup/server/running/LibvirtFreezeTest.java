// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a virsh whose guest takes its time. */
@Timeout(60)
class LibvirtFreezeTest {

    @TempDir
    private Path folder;

    /** The point of a domain whose virsh does this for these commands, and nothing for others. */
    private LibvirtPoint point(Freezing freezing, String freeze, String thaw) throws IOException {
        Path program = Files.writeString(
                folder.resolve("virsh"),
                "#!/bin/sh\ncd " + folder + "\nfreeze() {\n" + freeze + "\n}\nthaw() {\n" + thaw + "\n}\n"
                        + """
                        echo "$2" >>log
                        case $2 in
                          dumpxml) echo "<domain><devices><channel type='unix'>\
                        <target type='virtio' name='org.qemu.guest_agent.0'/></channel></devices></domain>" ;;
                          domfsfreeze) freeze ;;
                          domfsthaw) thaw ;;
                        esac
                        """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Virsh virsh = new Virsh(program.toString(), Duration.ofSeconds(1), Optional.empty(), "vm");
        return new LibvirtPoint(
                virsh,
                List.of(new DiskPlan("vda", "0123456789ab", Optional.empty())),
                new MachinePoint.Moment("m1", Duration.ofDays(30), freezing),
                MachineScratch.make(folder, Optional.empty()),
                Duration.ofMillis(100));
    }

    private long thaws() throws IOException {
        return Files.readAllLines(folder.resolve("log")).stream()
                .filter("domfsthaw"::equals)
                .count();
    }

    @Test
    void aGuestThatFreezesAfterItWasGivenUpIsThawed() throws Exception {
        String late = "(sleep 3; touch frozen) </dev/null >/dev/null 2>&1 &\nsleep 30";
        String onceFrozen = "rm frozen";
        try (LibvirtPoint point = point(Freezing.AUTO, late, onceFrozen)) {
            point.take();
            assertThat(point.warnings()).hasSize(1).allMatch(line -> line.contains("were not frozen"));
            assertThat(point.frozen()).isEmpty();
        }
        assertThat(folder.resolve("frozen")).doesNotExist();
        assertThat(thaws()).isGreaterThan(2);
    }

    @Test
    void aGuestThatDoesNotThawIsAnError() throws Exception {
        try (LibvirtPoint point = point(Freezing.AUTO, "true", "echo busy >&2; false")) {
            assertThatThrownBy(point::take)
                    .hasMessageContaining("may still be frozen")
                    .hasMessageContaining("busy")
                    .hasMessageContaining("run 'virsh domfsthaw vm'");
        }
    }

    @Test
    void aGuestWithoutAnAgentThatRunsCostsNoTime() throws Exception {
        try (LibvirtPoint point = point(Freezing.AUTO, "false", "false")) {
            point.take();
            assertThat(point.warnings()).hasSize(2);
        }
        assertThat(thaws()).isOne();
    }

    @Test
    void aGuestThatFreezesAndThawsRestsForAMoment() throws Exception {
        try (LibvirtPoint point = point(Freezing.REQUIRED, "true", "true")) {
            point.take();
            assertThat(point.warnings()).isEmpty();
            assertThat(point.frozen()).isPresent();
        }
    }
}
