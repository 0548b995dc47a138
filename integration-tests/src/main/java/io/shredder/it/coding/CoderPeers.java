// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The engine's coder and other people's, each program started once; those that could not be built are named. */
public final class CoderPeers implements AutoCloseable {
    private static final List<String> PROGRAMS = List.of("isal", "jerasure", "go", "rust");

    private final Map<String, Coders> byName = new LinkedHashMap<>();
    private final List<Coders> started = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    /**
     * Builds what is not built, and starts all.
     *
     * @param checkout has {@code tools/peers/coding.sh}; the peers stay in its {@code .tools/coding-peers}
     * @param ours the program {@code shredder_coders}
     */
    public static CoderPeers start(Path checkout, Path ours, Children children)
            throws IOException, InterruptedException {
        Path folder = checkout.resolve(".tools").resolve("coding-peers");
        String script = checkout.resolve("tools/peers/coding.sh").toString();
        children.run(new Command(
                "coding-peers",
                List.of(script, folder.toString()),
                Map.of(),
                checkout,
                checkout.resolve("target/bars/coding-peers.log")));
        var peers = new CoderPeers();
        try {
            peers.add(new CoderProgram(ours));
            peers.add(new HadoopCoders());
            for (String name : PROGRAMS) {
                Path program = folder.resolve("bin").resolve(name);
                if (Files.isExecutable(program)) {
                    peers.add(new CoderProgram(program));
                } else {
                    peers.missing.add(name + ": "
                            + Files.readString(folder.resolve(name + ".missing"))
                                    .strip());
                }
            }
            return peers;
        } catch (IOException e) {
            peers.close();
            throw e;
        }
    }

    private void add(Coders coders) {
        started.add(coders);
        coders.names().forEach(name -> byName.put(name, coders));
    }

    /** Why programs are missing, a line each. */
    public List<String> missing() {
        return List.copyOf(missing);
    }

    public boolean has(String name) {
        return byName.containsKey(name);
    }

    /** Null if there is no such coder here. */
    public @Nullable Coders of(String name) {
        return byName.get(name);
    }

    /** The engine's forms, the slowest first. */
    public List<String> forms() {
        return started.get(0).names().stream()
                .filter(name -> name.startsWith("avx") && !name.contains(":"))
                .toList();
    }

    @Override
    public void close() {
        started.forEach(Coders::close);
    }
}
