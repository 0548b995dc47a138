// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import java.io.IOException;
import java.util.regex.Pattern;

/** A line of the serial console. */
final class ConsoleSign implements LifeSign {

    private final SerialConsole console;
    private final Pattern expected;

    ConsoleSign(SerialConsole console, Pattern expected) {
        this.console = console;
        this.expected = expected;
    }

    @Override
    public String text() {
        return "'" + expected.pattern() + "' on the serial console";
    }

    @Override
    public boolean isSeen() throws IOException {
        return expected.matcher(console.text()).find();
    }
}
