// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GuestPathTest {

    private static final List<VolumeFacts> SERVER =
            List.of(volume("sda1", "/boot", true), volume("sda2", "", false), volume("vg/root", "/", true));

    @Test
    void thePathIsLookedForWhereTheImageMountsIt() throws Exception {
        assertThat(of("/etc/passwd")).isEqualTo(new GuestPath("vg/root", "/etc/passwd"));
        assertThat(of("/boot/grub/grub.cfg")).isEqualTo(new GuestPath("sda1", "/grub/grub.cfg"));
        assertThat(of("/boot")).isEqualTo(new GuestPath("sda1", "/"));
        assertThat(of("/bootstrap")).isEqualTo(new GuestPath("vg/root", "/bootstrap"));
    }

    @Test
    void aNamedVolumeIsTaken() throws Exception {
        assertThat(of("sda1:/grub")).isEqualTo(new GuestPath("sda1", "/grub"));
        assertThat(of("vg/root:etc")).isEqualTo(new GuestPath("vg/root", "/etc"));
        assertThat(GuestPath.of(Optional.of("/dev/sda1"), "/a:b", SERVER)).isEqualTo(new GuestPath("sda1", "/a:b"));
    }

    @Test
    void theOnlyFileSystemNeedsNoName() throws Exception {
        assertThat(GuestPath.of(Optional.empty(), "etc", List.of(volume("sda", "", true))))
                .isEqualTo(new GuestPath("sda", "/etc"));
    }

    @Test
    void whatMayBeMeantInSeveralIsAsked() {
        List<VolumeFacts> two = List.of(volume("sda1", "", true), volume("sda2", "", true));
        assertThatThrownBy(() -> GuestPath.of(Optional.empty(), "/etc", two))
                .hasMessageContaining("sda1, sda2")
                .hasMessageContaining("sda1:/etc");
        assertThatThrownBy(() -> GuestPath.of(Optional.empty(), "/etc", List.of()))
                .hasMessageContaining("no file system");
    }

    private static GuestPath of(String text) throws Exception {
        return GuestPath.of(Optional.empty(), text, SERVER);
    }

    private static VolumeFacts volume(String name, String mount, boolean readable) {
        Optional<String> where = mount.isEmpty() ? Optional.empty() : Optional.of(mount);
        return new VolumeFacts(name, 1, "ext4", "", "", where, readable, false, Optional.empty());
    }
}
