// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;

class NbdUriTest {

    @Test
    void addressesOfTcpAndUnixSocketsAreRead() {
        assertThat(NbdUri.parse("nbd://localhost/").server()).isEqualTo(new InetSocketAddress("localhost", 10809));
        assertThat(NbdUri.parse("nbd://[::1]:1234/a%20b").export()).isEqualTo("a b");
        assertThat(NbdUri.parse("nbd://[::1]:1234/a%20b").server()).isEqualTo(new InetSocketAddress("::1", 1234));
        NbdUri unix = NbdUri.parse("nbd+unix:///vda?socket=/run/vm/nbd.sock");
        assertThat(unix.server()).isEqualTo(UnixDomainSocketAddress.of("/run/vm/nbd.sock"));
        assertThat(unix.export()).isEqualTo("vda");
        assertThat(unix).hasToString("nbd+unix:///vda?socket=/run/vm/nbd.sock");
    }

    @Test
    void whatIsNoAddressIsRefusedWithTheForm() {
        for (String wrong :
                new String[] {"nbd:", "nbd://", "nbd+unix:///x", "nbd://a b/", "http://x/", "nbd+vsock://1/"}) {
            assertThatThrownBy(() -> NbdUri.parse(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("use nbd://HOST:PORT/EXPORT or nbd+unix:///EXPORT?socket=PATH");
        }
        assertThatThrownBy(() -> NbdUri.parse("nbds://host/x")).hasMessageContaining("asks for TLS");
    }
}
