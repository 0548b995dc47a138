// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.it.backup.PeakMemory;
import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.backup.ProcessorTime;
import io.shredder.it.corpus.Folders;
import io.shredder.it.process.Child;
import io.shredder.it.process.Command;
import io.shredder.it.scale.ScaleRow.Figure;
import io.shredder.it.scale.ScaleRow.Part;
import io.shredder.it.trust.TrustSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Several {@link PuttingClients} of one agent, all on the same cores. */
final class ClientsUnit implements ScaleUnit {
    private static final String RIGHTS = "others: {rights: [append, restore]}\n";

    private final ScalePlace place;
    private final ScalePlan plan;
    private final int count;
    private final int round;

    ClientsUnit(ScalePlace place, ScalePlan plan, int count, int round) {
        this.place = place;
        this.plan = plan;
        this.count = count;
        this.round = round;
    }

    @Override
    public String id() {
        return String.format(
                Locale.ROOT,
                "%d clients, %d cores, %.0f s, %d bytes, round %d",
                count,
                plan.mostCores(),
                plan.clientSeconds(),
                plan.bytes(),
                round);
    }

    @Override
    public double usualSeconds() {
        return 10 + 2 * plan.clientSeconds();
    }

    @Override
    public List<ScaleRow> measure() throws IOException, InterruptedException {
        Path folder = place.work().resolve("clients-at-once");
        Folders.delete(folder);
        List<String> prefix = ProcessorSet.all().first(plan.mostCores()).prefix();
        List<String> names =
                IntStream.range(0, count).mapToObj(PuttingClients::name).toList();
        List<String> options = List.of("--connections", String.valueOf(2 * count + 64));
        try (var site = new TrustSite(
                        place.root(), folder.resolve("site"), names, RIGHTS, options, place.children(), prefix);
                var memory = PeakMemory.of(List.of(site.agent().pid()))) {
            double agentBefore = ProcessorTime.seconds(site.agent().pid());
            double endedBefore = ProcessorTime.secondsOfEnded();
            Path log = folder.resolve("clients.log");
            Child clients = place.children().start(new Command("clients", words(site, prefix), Map.of(), folder, log));
            clients.waitForSuccess();
            return List.of(row(
                    new ObjectMapper().readTree(lastLine(log)),
                    Map.of(
                            Figure.COMMAND_CPU.name(),
                            ProcessorTime.secondsOfEnded() - endedBefore,
                            Figure.AGENT_CPU.name(),
                            ProcessorTime.seconds(site.agent().pid()) - agentBefore,
                            Figure.PEAK.name(),
                            (double) memory.bytes(),
                            Figure.REPOSITORY.name(),
                            (double) site.containerBytes())));
        } finally {
            Folders.delete(folder);
        }
    }

    private List<String> words(TrustSite site, List<String> prefix) {
        List<String> java = OwnProgram.words(
                PuttingClients.class,
                List.of(
                        "-Xmx1g",
                        "-XX:MaxDirectMemorySize=4g",
                        // As bin/launch.sh has them for clients: blocks of 4 MiB would be given back and taken again.
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "-Dio.netty.tryReflectionSetAccessible=true",
                        "-Dio.netty.allocator.maxOrder=12",
                        "-Dio.netty.leakDetection.level=disabled"),
                List.of(
                        site.folder().resolve("certs").toString(),
                        String.valueOf(site.port()),
                        String.valueOf(count),
                        String.valueOf(plan.clientSeconds()),
                        String.valueOf(plan.bytes())));
        return Stream.concat(prefix.stream(), java.stream()).toList();
    }

    private static String lastLine(Path log) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.startsWith("{"))
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> new IOException("the clients say nothing: " + log));
    }

    private ScaleRow row(JsonNode seen, Map<String, Double> costs) {
        double seconds = seen.path("seconds").asDouble();
        var rates = new ArrayList<Double>();
        long bytes = 0;
        for (JsonNode one : seen.path("bytes")) {
            rates.add(one.asLong() / seconds);
            bytes += one.asLong();
        }
        var figures = new HashMap<>(costs);
        figures.put(
                Figure.WORST.name(),
                rates.stream().mapToDouble(Double::doubleValue).min().orElse(0));
        figures.put(
                Figure.MEAN.name(),
                rates.stream().mapToDouble(Double::doubleValue).average().orElse(0));
        return new ScaleRow(
                id(),
                Part.CLIENTS,
                OperationsUnit.OURS,
                "put",
                plan.mostCores(),
                count,
                0,
                bytes,
                seconds,
                figures,
                "",
                place.at());
    }
}
