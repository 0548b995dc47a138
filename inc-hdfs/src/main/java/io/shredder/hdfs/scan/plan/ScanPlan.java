// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import io.shredder.chunk.Manifest;
import io.shredder.chunk.binding.BlockLayout;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.hdfs.scan.plan.ScanSplit.Part;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Which task reads what. Long files are cut in parts of whole blocks; what is short goes together, by the machine that
 * has its first block. For one thread.
 */
public final class ScanPlan {

    /** So many groups of files are told apart; the last one has all others. */
    public static final int MOST_GROUPS = 64;

    private static final int MOST_PARTS = 500;
    private static final String OTHERS = "all other folders";
    private static final String NOWHERE = "";

    /** Why a file needs no task. */
    @FunctionalInterface
    private interface Skipping {
        Optional<String> reason(DistributedFileSystem fs, Path file) throws IOException;
    }

    private final Predicate<Path> cutsParts;
    private final Skipping skipping;
    private final long partBytes;
    private final Optional<ManifestRights> rights;
    private final List<ScanSplit> splits = new ArrayList<>();
    private final Map<String, List<Part>> small = new HashMap<>();
    private final List<String> groups = new ArrayList<>();
    private final Set<Path> seen = new HashSet<>();
    private final Map<Path, String> skipped = new TreeMap<>();
    private final Map<Path, String> unlisted = new TreeMap<>();
    private boolean refuses;
    private long files;
    private long bytes;

    private ScanPlan(Predicate<Path> cutsParts, Skipping skipping, long partBytes, Optional<ManifestRights> rights) {
        this.cutsParts = cutsParts;
        this.skipping = skipping;
        this.partBytes = partBytes;
        this.rights = rights;
    }

    /**
     * Of files to cut; nothing yet.
     *
     * @param again also files that have a manifest
     * @param writes whether they are to get manifests, which takes rights
     * @param partBytes what a task reads at least, if there is so much
     */
    public static ScanPlan toCut(ScanSettings settings, boolean again, boolean writes, long partBytes) {
        Skipping skipping = again
                ? (fs, file) -> Optional.empty()
                : (fs, file) -> usableManifest(fs, file)
                        .map(found -> settings.areOf(file, found)
                                ? "it has a manifest"
                                : "it has a manifest of other chunks: -f replaces it");
        Optional<ManifestRights> rights = writes ? Optional.of(new ManifestRights()) : Optional.empty();
        return new ScanPlan(settings::cutsParts, skipping, partBytes, rights);
    }

    /** Of files to read, in parts that begin anywhere. */
    public static ScanPlan toRead(long partBytes) {
        return new ScanPlan(file -> true, (fs, file) -> Optional.empty(), partBytes, Optional.empty());
    }

    /** One that can't be read, for whichever reason, is none: the others are not kept waiting for it. */
    private static Optional<Manifest> usableManifest(DistributedFileSystem fs, Path file) {
        try {
            return HdfsManifests.find(fs, file).manifest();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Adds a file, or all below a folder but what is hidden. A folder below it that can't be listed is skipped.
     *
     * @throws FileNotFoundException if it isn't there
     */
    public void add(DistributedFileSystem fs, FileStatus root) throws IOException {
        FolderWalk.Visitor visitor = new FolderWalk.Visitor() {
            @Override
            public void file(HdfsLocatedFileStatus file) throws IOException {
                add(fs, root.getPath(), file);
            }

            @Override
            public void leftOut(Path folder, String reason) {
                skipped.put(folder, reason);
                unlisted.put(folder, reason);
            }
        };
        new FolderWalk(fs, visitor).walk(root.getPath());
    }

    private void add(DistributedFileSystem fs, Path root, HdfsLocatedFileStatus file) throws IOException {
        Path path = file.getPath();
        if (!seen.add(path)) {
            return; // It is below two of the roots.
        }
        Optional<String> reason = reasonToSkip(fs, file);
        if (reason.isPresent()) {
            skipped.put(path, reason.get());
            return;
        }
        Optional<String> refusal = rights.isPresent() ? rights.get().refusal(fs, file) : Optional.empty();
        if (refusal.isPresent()) {
            skipped.put(path, refusal.get());
            refuses = true;
            return;
        }
        files++;
        bytes += file.getLen();
        BlockLayout.Builder layout = new BlockLayout.Builder();
        for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
            layout.add(
                    block.getBlock().getBlockId(),
                    block.getBlock().getGenerationStamp(),
                    block.getBlock().getNumBytes());
        }
        ScannedFile scanned = new ScannedFile(
                path,
                file.getFileId(),
                file.getLen(),
                group(root, path),
                layout.build().digest());
        addParts(scanned, file.getBlockSize(), file.getLocatedBlocks());
    }

    /** What lies in one folder right below a root is a group; so many of these are told apart. */
    private int group(Path root, Path file) {
        Path folder = file.getParent();
        while (!file.equals(root) && !folder.equals(root) && !root.equals(folder.getParent())) {
            folder = folder.getParent();
        }
        String name = folder.toString();
        int known = groups.indexOf(name);
        if (known >= 0) {
            return known;
        }
        if (groups.size() + 1 == MOST_GROUPS) {
            groups.add(OTHERS);
        } else if (groups.size() < MOST_GROUPS) {
            groups.add(name);
        }
        return groups.size() - 1;
    }

    private Optional<String> reasonToSkip(DistributedFileSystem fs, HdfsLocatedFileStatus file) throws IOException {
        return file.getLocatedBlocks().isUnderConstruction()
                ? Optional.of("it is being written")
                : skipping.reason(fs, file.getPath());
    }

    private void addParts(ScannedFile file, long blockBytes, LocatedBlocks blocks) {
        long part = (partBytes + blockBytes - 1) / blockBytes * blockBytes;
        if (!cutsParts.test(file.path()) || file.length() <= part) {
            addPart(new Part(file, 0, file.length()), hosts(blocks, 0), part);
            return;
        }
        for (long start = 0; start < file.length(); start += part) {
            addPart(new Part(file, start, Math.min(file.length(), start + part)), hosts(blocks, start), part);
        }
    }

    private static String[] hosts(LocatedBlocks blocks, long offset) {
        for (LocatedBlock block : blocks.getLocatedBlocks()) {
            if (offset < block.getStartOffset() + block.getBlockSize()) {
                List<String> hosts = new ArrayList<>();
                for (DatanodeInfo node : block.getLocations()) {
                    hosts.add(node.getHostName());
                }
                return hosts.toArray(String[]::new);
            }
        }
        return new String[0];
    }

    private void addPart(Part part, String[] hosts, long enough) {
        if (2 * part.length() > enough) {
            splits.add(new ScanSplit(List.of(part), hosts));
            return;
        }
        String host = hosts.length == 0 ? NOWHERE : hosts[0];
        List<Part> together = small.computeIfAbsent(host, ignored -> new ArrayList<>());
        together.add(part);
        if (together.size() >= MOST_PARTS
                || together.stream().mapToLong(Part::length).sum() >= enough) {
            flush(host);
        }
    }

    private void flush(String host) {
        List<Part> parts = small.remove(host);
        if (parts != null) {
            splits.add(host.equals(NOWHERE) ? new ScanSplit(parts) : new ScanSplit(parts, host));
        }
    }

    /** What the tasks read; nothing can be added any more. */
    public List<ScanSplit> splits() {
        List.copyOf(small.keySet()).forEach(this::flush);
        return List.copyOf(splits);
    }

    /** Files and folders that are not read, and why, sorted. */
    public Map<Path, String> skipped() {
        return Collections.unmodifiableMap(skipped);
    }

    /** Those of them that are folders: nobody knows what is in there. */
    public Map<Path, String> unlisted() {
        return Collections.unmodifiableMap(unlisted);
    }

    /** Whether files are skipped that this user may not do to what was asked for. */
    public boolean refuses() {
        return refuses;
    }

    /** Whether this file was added, or skipped. */
    public boolean knows(Path file) {
        return seen.contains(file);
    }

    /** Names of the groups that files are in, by their numbers. */
    public List<String> groups() {
        return List.copyOf(groups);
    }

    /** How many files are read. */
    public long files() {
        return files;
    }

    /** How many bytes they have together. */
    public long bytes() {
        return bytes;
    }
}
