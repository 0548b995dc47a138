// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.audit.AuditLog;
import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.Versions;
import io.shredder.backup.agent.dispersal.home.RemoteKeepers;
import io.shredder.backup.agent.dispersal.scrub.GiveUp;
import io.shredder.backup.agent.file.SpaceReserve;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/** Gives up a file of a repository's store over keepers, and has it in the audit log before. The agent must not run. */
public final class GivenUpFile {

    /** Name of the log. */
    private static final String AUDIT = "audit.log";

    private GivenUpFile() {}

    /**
     * Does it.
     *
     * @param root the repository's folder, whose store the keepers are
     * @param keepers the file that names them
     * @param remotes ways to keepers on other machines
     * @param file as a check names it
     * @return what was given up
     */
    public static Versions.Doubt giveUp(Path root, Path keepers, RemoteKeepers remotes, String file, Clock clock)
            throws IOException {
        StorePlace.requireDispersed(root, keepers);
        RepositoryLock lock = RepositoryLock.acquire(root);
        try (lock;
                GiveUp givingUp = GiveUp.open(DispersalConfig.read(keepers, remotes), file);
                AuditLog audit = AuditLog.open(root.resolve(AUDIT), clock, reserve(root))) {
            Versions.Doubt doubt = givingUp.doubt();
            audit.record("file-give-up", line(doubt));
            givingUp.run();
            return doubt;
        }
    }

    /** What the agent keeps free for such lines; it fills it again when it starts. */
    private static SpaceReserve reserve(Path root) {
        return new SpaceReserve(root.resolve("reserve"), () -> 0);
    }

    private static Map<String, String> line(Versions.Doubt doubt) {
        Map<String, String> line = new LinkedHashMap<>();
        line.put("file", doubt.version().name());
        line.put("version", doubt.version().toString());
        line.put("problem", doubt.why());
        doubt.before().ifPresent(before -> line.put("instead", before.toString()));
        return line;
    }
}
