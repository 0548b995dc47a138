// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Another project's program with a repository in a local folder. */
final class PeerContender implements Contender {
    private final Tool tool;
    private final Tool.Site site;

    private PeerContender(Tool tool, Tool.Site site) {
        this.tool = tool;
        this.site = site;
    }

    /** Makes the repository. */
    static PeerContender open(Tool tool, Path program, Path folder, Sources sources, Children children)
            throws IOException, InterruptedException {
        var site = new Tool.Site(
                program,
                folder,
                Files.createDirectories(folder.resolve("repository")),
                Files.createDirectories(folder.resolve("restored")),
                sources);
        var contender = new PeerContender(tool, site);
        for (Invocation invocation : tool.initialise(site)) {
            children.run(new Command(
                    tool.name(),
                    invocation.words(),
                    contender.environment(),
                    invocation.folder(),
                    folder.resolve("initialise.log")));
        }
        return contender;
    }

    @Override
    public String name() {
        return tool.name();
    }

    @Override
    public Set<Operation> operations() {
        return tool.operations();
    }

    @Override
    public Map<String, String> environment() {
        var environment = new HashMap<>(tool.environment(site));
        environment.put("XDG_CACHE_HOME", site.folder().resolve("cache").toString());
        environment.put("XDG_CONFIG_HOME", site.folder().resolve("config").toString());
        return environment;
    }

    @Override
    public List<Invocation> commands(Operation operation) {
        return tool.commands(operation, site);
    }

    @Override
    public Path repository() {
        return site.repository();
    }

    @Override
    public Path restored() {
        return site.restored().resolve(Sources.FILE);
    }

    @Override
    public void close() {
        // It has no daemon.
    }
}
