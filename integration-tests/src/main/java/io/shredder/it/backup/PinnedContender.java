// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** A contender without daemons whose commands have only some of the machine's cores. */
public final class PinnedContender implements Contender {
    private final Contender contender;
    private final ProcessorSet cores;

    /** Owns the contender. */
    public PinnedContender(Contender contender, ProcessorSet cores) {
        this.contender = contender;
        this.cores = cores;
    }

    @Override
    public String name() {
        return contender.name();
    }

    @Override
    public Set<Operation> operations() {
        return contender.operations();
    }

    @Override
    public void prepare(Operation operation) throws IOException, InterruptedException {
        contender.prepare(operation);
    }

    @Override
    public List<Invocation> commands(Operation operation) throws IOException, InterruptedException {
        return contender.commands(operation).stream().map(this::pinned).toList();
    }

    private Invocation pinned(Invocation free) {
        return new Invocation(
                free.folder(),
                Stream.concat(cores.prefix().stream(), free.words().stream()).toList());
    }

    @Override
    public Map<String, String> environment() {
        return contender.environment();
    }

    @Override
    public Path repository() {
        return contender.repository();
    }

    @Override
    public Path restored() {
        return contender.restored();
    }

    @Override
    public void close() {
        contender.close();
    }
}
