// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIf;

/** A loop device; where there are none, or not for this user, nothing can be shown. */
@EnabledIf("canAttach")
class DeviceImageTest extends ImageSourceContract {

    private String device = "";

    static boolean canAttach() throws IOException {
        Path file = java.nio.file.Files.createTempFile("loop", ".raw");
        try {
            java.nio.file.Files.write(file, new byte[1 << 20]);
            String attached =
                    run("losetup", "--find", "--show", file.toString()).strip();
            run("losetup", "--detach", attached);
            return true;
        } catch (AssertionError | IOException e) {
            return false;
        } finally {
            java.nio.file.Files.delete(file);
        }
    }

    @Override
    protected ImageSource open(Path raw) throws IOException {
        device = run("losetup", "--find", "--show", "--read-only", raw.toString())
                .strip();
        return new ImageAddress.Device(Path.of(device)).open();
    }

    @AfterEach
    void detach() throws IOException {
        run("losetup", "--detach", device);
    }

    @Override
    protected long mostDataBytes() {
        return -1;
    }
}
