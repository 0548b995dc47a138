// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.it.backup.PeakMemory;
import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.backup.ProcessorTime;
import io.shredder.it.corpus.Folders;
import io.shredder.it.process.Child;
import io.shredder.it.scale.ScaleRow.Figure;
import io.shredder.it.scale.ScaleRow.Part;
import io.shredder.it.trust.TrustSite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The first backup of several images at once by one job to one agent; in all they are as long as the one image. */
final class ImagesUnit implements ScaleUnit {
    private static final String CLIENT = "site";
    private static final String RIGHTS = "clients: {" + CLIENT + ": {rights: [append, restore]}}\n";

    private final ScalePlace place;
    private final ScaleImages images;
    private final int cores;
    private final int count;
    private final int round;

    ImagesUnit(ScalePlace place, ScaleImages images, int cores, int count, int round) {
        this.place = place;
        this.images = images;
        this.cores = cores;
        this.count = count;
        this.round = round;
    }

    @Override
    public String id() {
        return String.format(
                Locale.ROOT, "%d images at once, %d cores, %d bytes, round %d", count, cores, images.bytes(), round);
    }

    @Override
    public double usualSeconds() {
        return 10 + images.bytes() / (150e6 * cores) + 2 * images.bytes() / 1e9;
    }

    @Override
    public List<ScaleRow> measure() throws IOException, InterruptedException {
        Path folder = place.work().resolve("images-at-once");
        Folders.delete(folder);
        List<Path> dealt = images.dealt(count, folder.resolve("images"));
        List<String> prefix = ProcessorSet.all().first(cores).prefix();
        try (var site = new TrustSite(
                        place.root(),
                        folder.resolve("site"),
                        List.of(CLIENT),
                        RIGHTS,
                        List.of(),
                        place.children(),
                        prefix);
                var memory = PeakMemory.of(List.of(site.agent().pid()))) {
            Files.createDirectories(site.folder().resolve("state"));
            Files.writeString(site.folder().resolve("server.yaml"), configuration(site.port(), dealt));
            double agentBefore = ProcessorTime.seconds(site.agent().pid());
            double endedBefore = ProcessorTime.secondsOfEnded();
            long startNs = System.nanoTime();
            Child job = site.start("backup-server", List.of("run", "all", "--config", "server.yaml", "--json"));
            memory.watch(job.pid());
            job.waitForSuccess();
            double seconds = (System.nanoTime() - startNs) / 1e9;
            Map<String, Double> figures = Map.of(
                    Figure.COMMAND_CPU.name(),
                    ProcessorTime.secondsOfEnded() - endedBefore,
                    Figure.AGENT_CPU.name(),
                    ProcessorTime.seconds(site.agent().pid()) - agentBefore,
                    Figure.PEAK.name(),
                    (double) memory.bytes(),
                    Figure.REPOSITORY.name(),
                    (double) site.containerBytes());
            return List.of(row(seconds, figures, job.log()));
        } finally {
            Folders.delete(folder);
        }
    }

    private String configuration(int port, List<Path> dealt) {
        var all = new StringBuilder("version: 1\nstate: state\nconcurrency: " + count + "\n"
                + "agent: {address: \"127.0.0.1:" + port + "\", certificate: certs/client-" + CLIENT
                + ".crt, key: certs/client-" + CLIENT + ".key, authority: certs/ca.crt}\n"
                + "repository-key: {file: site.key, secret-file: site.secret}\n"
                + "jobs:\n  all:\n    concurrency: " + count + "\n    retry: {times: 0}\n    images:\n");
        for (Path image : dealt) {
            String name = image.getFileName().toString().replace(".img", "");
            all.append("      ").append(name).append(": {file: ").append(image).append("}\n");
        }
        return all.toString();
    }

    private ScaleRow row(double seconds, Map<String, Double> figures, Path log) throws IOException {
        List<Double> rates = new ArrayList<>();
        String limits = "";
        var mapper = new ObjectMapper();
        for (String line : new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                .lines()
                .toList()) {
            if (line.startsWith("{\"")) {
                JsonNode backup = mapper.readTree(line).path("backup");
                rates.add(backup.path("bytesRead").asDouble()
                        * 1e3
                        / Math.max(1, backup.path("milliseconds").asLong()));
                limits = OperationsUnit.busy(backup);
            }
        }
        if (rates.size() != count) {
            throw new IOException("of " + count + " images " + rates.size() + " were told of");
        }
        var all = new HashMap<>(figures);
        all.put(
                Figure.WORST.name(),
                rates.stream().mapToDouble(Double::doubleValue).min().orElse(0));
        all.put(
                Figure.MEAN.name(),
                rates.stream().mapToDouble(Double::doubleValue).average().orElse(0));
        return new ScaleRow(
                id(),
                Part.IMAGES,
                OperationsUnit.OURS,
                "first",
                cores,
                count,
                0,
                images.bytes(),
                seconds,
                all,
                limits,
                place.at());
    }
}
