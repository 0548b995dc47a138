// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.snapshot.AuditPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The place in an agent's audit log that the last snapshot of a series has sealed, as the operator has accepted it
 * whatever the log says there: the next snapshot seals a new one.
 */
final class AcceptedAudit {

    private AcceptedAudit() {}

    private static StateFile at(Path file) {
        return new StateFile(
                file,
                "shredder-audit-1",
                3,
                "nobody knows what was accepted of the agent's audit log; say so again by 'shredder-backup accept'");
    }

    static boolean is(Path file, AuditPosition sealed) throws IOException {
        return at(file).read().filter(words(sealed)::equals).isPresent();
    }

    static void keep(Path file, Optional<AuditPosition> sealed) throws IOException {
        if (sealed.isPresent()) {
            at(file).write(words(sealed.get()));
        } else {
            at(file).delete();
        }
    }

    private static List<String> words(AuditPosition position) {
        return List.of(
                Long.toString(position.offset()), Long.toHexString(position.high()), Long.toHexString(position.low()));
    }
}
