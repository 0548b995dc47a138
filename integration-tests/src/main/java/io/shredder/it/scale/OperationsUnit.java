// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.it.backup.BackupLab;
import io.shredder.it.backup.BackupPeers;
import io.shredder.it.backup.Contender;
import io.shredder.it.backup.Manner;
import io.shredder.it.backup.Measured;
import io.shredder.it.backup.Operation;
import io.shredder.it.backup.PinnedContender;
import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.backup.ShredderContender;
import io.shredder.it.backup.Sources;
import io.shredder.it.corpus.Folders;
import io.shredder.it.scale.ScaleRow.Figure;
import io.shredder.it.scale.ScaleRow.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All operations of one contender on so many cores, over a link or not. */
final class OperationsUnit implements ScaleUnit {
    private static final Set<Operation> ALL = EnumSet.complementOf(EnumSet.of(Operation.PRUNE));
    /** What a link changes. */
    private static final Set<Operation> LINKED =
            EnumSet.of(Operation.FIRST, Operation.UNCHANGED, Operation.CHANGED, Operation.RESTORE);
    /** As rows name ours; with the backend behind it if that was chosen. */
    static final String OURS = ShredderContender.NAME;

    private static final String USUAL_BACKEND = "auto";

    private final ScalePlace place;
    private final ScaleImages images;
    private final Choice choice;

    /**
     * Of what.
     *
     * @param contender a name
     * @param backend of ours
     * @param gbit of the link; 0 for none
     */
    record Choice(String contender, String backend, int cores, double gbit, int round) {}

    OperationsUnit(ScalePlace place, ScaleImages images, Choice choice) {
        this.place = place;
        this.images = images;
        this.choice = choice;
    }

    @Override
    public String id() {
        return String.format(
                Locale.ROOT,
                "%s of %s, %d cores%s, %d bytes, round %d",
                choice.gbit() > 0 ? "link" : "operations",
                who(),
                choice.cores(),
                choice.gbit() > 0 ? ", " + choice.gbit() + " Gbit/s" : "",
                images.bytes(),
                choice.round());
    }

    @Override
    public boolean isOurs() {
        return choice.contender().equals(OURS);
    }

    private String who() {
        return isOurs() && !choice.backend().equals(USUAL_BACKEND) ? OURS + " " + choice.backend() : choice.contender();
    }

    /** By the rates of a first backup of 2 to 16 cores, and a few seconds for what is not timed. */
    @Override
    public double usualSeconds() {
        double first = isOurs() ? 150e6 * choice.cores() : 90e6 * Math.min(choice.cores(), 4);
        double slowed = choice.gbit() > 0 ? Math.min(first, choice.gbit() * 1e9 / 8) : first;
        return 10 + 2.5 * images.bytes() / slowed + 3 * images.bytes() / 1e9;
    }

    @Override
    public List<ScaleRow> measure() throws IOException, InterruptedException {
        Path folder = place.work().resolve("operations");
        Folders.delete(folder);
        Files.createDirectories(folder);
        ProcessorSet cores = ProcessorSet.all().first(choice.cores());
        Sources sources = Sources.link(folder.resolve("sources"), images.first(), images.second());
        Optional<HeldLink> link = choice.gbit() > 0 ? Optional.of(link(folder)) : Optional.empty();
        try {
            var failed = new ArrayList<IOException>();
            var lab = new BackupLab(place.children(), folder, sources, link.isPresent() ? LINKED : ALL, isOurs());
            lab.round(
                    1,
                    Map.of(choice.contender(), (own, of) -> open(own, of, cores, link)),
                    (name, why) -> failed.add(why));
            if (!failed.isEmpty()) {
                throw failed.get(0);
            }
            List<ScaleRow> rows = new ArrayList<>();
            for (Measured one : lab.measured()) {
                rows.add(row(one, link));
            }
            return rows;
        } finally {
            link.ifPresent(HeldLink::close);
            Folders.delete(folder);
        }
    }

    private HeldLink link(Path folder) throws IOException, InterruptedException {
        return HeldLink.of(choice.gbit(), place.mayUseTc(), new HeldLink.Tools(folder, place.children(), List.of()));
    }

    private Contender open(Path folder, Sources sources, ProcessorSet cores, Optional<HeldLink> link)
            throws IOException, InterruptedException {
        if (isOurs()) {
            List<String> options =
                    choice.backend().equals(USUAL_BACKEND) ? List.of() : List.of("--backend", choice.backend());
            Manner.Way way = link.map(Manner.Way.class::cast).orElse(Manner.USUAL.way());
            return ShredderContender.open(
                    place.root(), folder, sources, place.children(), new Manner(cores.prefix(), options, way));
        }
        var peers = BackupPeers.builtIn(place.peers(), place.children());
        Optional<Contender.Opener> opener = peers.opener(choice.contender());
        if (opener.isEmpty()) {
            throw new IOException(peers.whyMissing(choice.contender()));
        }
        return new PinnedContender(opener.get().open(folder, sources), cores);
    }

    private ScaleRow row(Measured one, Optional<HeldLink> link) {
        var figures = new HashMap<String, Double>();
        figures.put(Figure.START.name(), one.costs().startSeconds());
        figures.put(Figure.PEAK.name(), (double) one.peakBytes());
        figures.put(Figure.COMMAND_CPU.name(), one.costs().commandCpuSeconds());
        figures.put(Figure.AGENT_CPU.name(), one.costs().daemonCpuSeconds());
        figures.put(Figure.REPOSITORY.name(), (double) one.repositoryBytes());
        link.ifPresent(held -> figures.put(Figure.RELAY_CPU.name(), held.cpuSeconds()));
        one.costs().stageCpuSeconds().forEach((stage, seconds) -> {
            if (seconds > 0) {
                figures.put(ScaleRow.STAGE + stage, seconds);
            }
        });
        String limits = busy(one.costs().summary());
        return new ScaleRow(
                id(),
                link.isPresent() ? Part.LINK : Part.OPERATIONS,
                who(),
                one.operation().title(),
                choice.cores(),
                1,
                choice.gbit(),
                one.sourceBytes(),
                one.seconds(),
                figures,
                link.map(held -> "link held by " + held.kind() + "; " + limits).orElse(limits),
                place.at());
    }

    /** What a command says of its stages, the busiest first, in the words of its line {@code busy:}. */
    static String busy(JsonNode summary) {
        double seconds = summary.path("milliseconds").asDouble() / 1e3;
        var shares = new ArrayList<Map.Entry<Double, String>>();
        for (JsonNode stage : summary.path("stages")) {
            int threads = stage.path("threads").asInt();
            if (threads > 0 && seconds > 0) {
                String name = stage.path("stage").asText() + (threads > 1 ? " (" + threads + " threads)" : "");
                double all = threads * seconds;
                shares.add(Map.entry(stage.path("busySeconds").asDouble() / all, name));
                shares.add(Map.entry(stage.path("awaitingRoomSeconds").asDouble() / all, name + " waiting for room"));
            }
        }
        return String.join(
                ", ",
                shares.stream()
                        .sorted(Map.Entry.<Double, String>comparingByKey().reversed())
                        .limit(3)
                        .map(share -> String.format(Locale.ROOT, "%s %.0f %%", share.getValue(), 100 * share.getKey()))
                        .toList());
    }
}
