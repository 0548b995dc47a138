// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.binding.ManifestNames;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import io.shredder.hdfs.manifest.ManifestPaths;
import io.shredder.hdfs.records.RecordFormats;
import io.shredder.hdfs.upload.HdfsDestination;
import io.shredder.hdfs.upload.SharedProgress;
import io.shredder.hdfs.upload.Upload;
import io.shredder.hdfs.upload.UploadClient;
import io.shredder.hdfs.upload.UploadOptions;
import io.shredder.hdfs.upload.UploadProgress;
import io.shredder.hdfs.upload.UploadSetting;
import io.shredder.hdfs.upload.UploadSource;
import io.shredder.hdfs.upload.UploadSummary;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathExistsException;
import org.apache.hadoop.fs.PathNotFoundException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.CopyCommandWithMultiThread;
import org.apache.hadoop.fs.shell.PathData;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.Nullable;

/**
 * {@code -copyFromLocalGPU}: {@code -copyFromLocal}'s manners, whose rules for sources, folders and destinations it
 * inherits, and {@link Upload} for each file, several at once. FsShell makes a new instance for each run and calls it
 * on one thread.
 */
@SuppressWarnings("NonApiType") // LinkedList is FsShell's choice
public final class CopyFromLocalGpu extends CopyCommandWithMultiThread {

    /** Read by FsShell, by name, as are the next two. */
    public static final String NAME = "copyFromLocalGPU";

    /** The synopsis. */
    public static final String USAGE =
            "[-f] [-p] [-l] [-d] [-inputFormat <name>] [-avg <size>] [-min <size>] [-max <size>]"
                    + " [-blockAvg <size>] [-blockMin <size>] [-blockMax <size>] [-digest <name>] [-backend <name>] [-t <threads>]"
                    + " [-q <size>] [-buffer <size>] <localsrc> ... <dst>";

    /** FsShell sets lines that begin with a dash and have one colon as a table. */
    public static final String DESCRIPTION =
            "Copy files from the local file system into HDFS as -copyFromLocal does, but"
                    + " cut where the content says: blocks end at content-defined boundaries that fall on record ends, and a"
                    + " manifest of the chunks lies beside each file. Copying fails if the file already exists, unless the -f flag"
                    + " is given. Sizes are bytes or a number with k, m or g; averages are powers of two.\n"
                    + "Flags:\n"
                    + "  -p : Preserves timestamps, ownership and the mode.\n"
                    + "  -f : Overwrites the destination if it already exists.\n"
                    + "  -l : Allow DataNodes to lazily persist the file to disk. Forces replication factor of 1. This flag will"
                    + " result in reduced durability. Use with care.\n"
                    + "  -d : Taken, and changes nothing: no <dst>._COPYING_ is made, but blocks are joined in a hidden folder.\n"
                    + "  -inputFormat <name> : Whose records are kept whole. text (default), fixed, sequencefile, avro, raw for"
                    + " none, or the class name of an InputFormat. Its options such as textinputformat.record.delimiter are honoured.\n"
                    + "  -avg <size> : Average chunk, default 1m.\n"
                    + "  -min <size> : Shortest chunk, default a quarter of the average.\n"
                    + "  -max <size> : Longest chunk before it is moved to a record end, default four times the average.\n"
                    + "  -blockAvg <size> : Average block; blocks end at stronger cuts of their own then, the same where content is"
                    + " the same, and ordinary jobs get fewer and less local maps. By default a block takes the whole chunks"
                    + " that fit into dfs.blocksize, and the NameNode keeps about one block in ten more than of a stock copy.\n"
                    + "  -blockMin <size> : Shortest block beside -blockAvg, default a quarter of it.\n"
                    + "  -blockMax <size> : Longest block beside -blockAvg, default four times it.\n"
                    + "  -digest <name> : What names a chunk by its content, sha256 (default) or blake3. Incremental jobs need sha256.\n"
                    + "  -backend <name> : What the engine computes on, default auto; several with commas between. See shredder devices.\n"
                    + "  -t <threads> : How many blocks are written at once, default 4: of as many files, or of fewer files"
                    + " several each.\n"
                    + "  -q <size> : So many files are looked up before they are copied side by side, default 1024.\n"
                    + "  -buffer <size> : Memory for bytes on their way to HDFS, default 256m; files share it.\n"
                    + "inc-hdfs-site.xml can set other defaults.\n";

    /** DistCp compares checksums over blocks unless it is told not to; the copy's blocks end elsewhere. */
    private static final String DISTCP_HINT = "To copy it with distcp, add -Ddfs.checksum.combine.mode=COMPOSITE_CRC";

    private static final String LOCAL_URI = "file:/";

    /** Set by the launchers where standard error is a terminal, which Java can't tell. */
    private static final String PROGRESS_PROPERTY = "shredder.progress";

    /** A stream of many files needs no long buffers, and each has a ring of its own. */
    private static final int SHARED_BUFFER_BYTES = 4 << 20;

    private record Copy(PathData source, PathData target) {}

    private final List<Copy> waiting = new ArrayList<>();
    private final Set<Path> waitingTargets = new HashSet<>();
    private int mostWaiting = DEFAULT_QUEUE_SIZE;
    private boolean preserving;
    private @Nullable UploadOptions options;
    private @Nullable Shredder shredder;
    private @Nullable DistributedFileSystem fs;
    private boolean overwrite;
    private boolean differs;

    @Override
    protected void processOptions(LinkedList<String> args) throws IOException {
        CommandFormat format = new CommandFormat(1, Integer.MAX_VALUE, "f", "p", "l", "d");
        format.addOptionWithValue("q");
        UploadSetting.options().forEach(format::addOptionWithValue);
        format.parse(args);
        overwrite = format.getOpt("f");
        setOverwrite(overwrite);
        preserving = format.getOpt("p");
        setPreserve(preserving);
        setRecursive(true);
        options = inOneLine(() -> UploadOptions.of(format, getConf()));
        mostWaiting = inOneLine(() -> queueSize(format.getOptValue("q")));
        getRemoteDestination(args);
        dst = HdfsDestination.resolve(dst, getConf());
        HdfsDestination.requireHdfs(dst);
        HdfsDestination.refuseRaw(dst);
    }

    private interface Step<T> {
        T run() throws IOException;
    }

    /** FsShell answers a bad argument with the usage of every command there is; the message alone says more. */
    private static <T> T inOneLine(Step<T> step) throws IOException {
        try {
            return step.run();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Hadoop's own takes its default for what is no count. */
    private static int queueSize(@Nullable String value) {
        try {
            int size = value == null ? DEFAULT_QUEUE_SIZE : Integer.parseInt(value);
            return size < 1 ? DEFAULT_QUEUE_SIZE : size;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("-q " + value + " is not a number", e);
        }
    }

    /** Local paths are taken as they are, not as patterns: the caller's shell has expanded those. */
    @Override
    protected List<PathData> expandArgument(String arg) throws IOException {
        List<PathData> items = new ArrayList<>();
        try {
            items.add(new PathData(arg.startsWith(LOCAL_URI) ? new URI(arg) : exactly(arg), getConf()));
        } catch (URISyntaxException e) {
            items.add(new PathData(arg, getConf())); // local all the same, with characters that a URI would quote
        }
        return items;
    }

    /** Not read as a URI, in which what is behind a # is no part of the path, and what precedes a colon a scheme. */
    private static URI exactly(String path) throws URISyntaxException {
        String rooted = path.startsWith("/") ? path.replaceFirst("^/+", "/") : path;
        boolean likeScheme = rooted.indexOf(':') >= 0 && !rooted.startsWith("/");
        return new URI(null, null, likeScheme ? "./" + rooted : rooted, null);
    }

    @Override
    protected void processArguments(LinkedList<PathData> args) throws IOException {
        UploadOptions asked = requireSet(options);
        ShredderOptions own = engineOptions(asked, args);
        try (Shredder engine = inOneLine(() -> Shredder.open(own));
                DistributedFileSystem client = UploadClient.open(dst, getConf())) {
            shredder = engine;
            fs = client;
            if (args.size() == 1 && args.get(0).toString().equals("-")) {
                copyStandardInput(getTargetPath(args.get(0)));
            } else {
                super.processArguments(args);
                copyWaiting();
            }
        }
        if (differs) {
            out.println(DISTCP_HINT);
        }
    }

    /** One file has the engine for itself. */
    private static ShredderOptions engineOptions(UploadOptions asked, List<PathData> args) {
        PathData first = args.get(0);
        boolean isFolder = first.stat != null && first.stat.isDirectory();
        boolean one = asked.threads() == 1 || (args.size() == 1 && !isFolder);
        ShredderOptions.Builder builder = ShredderOptions.builder().on(asked.backend());
        return one ? builder.build() : builder.bufferBytes(SHARED_BUFFER_BYTES).build();
    }

    @Override
    protected void copyFileToTarget(PathData src, PathData target) throws IOException {
        if (ManifestNames.isManifest(src.path.getName())) {
            displayWarning("`" + src + "': a manifest, which belongs to another file: not copied");
            return;
        }
        if (!waitingTargets.add(target.path)) {
            // Two sources of one name: the second finds what the first has left, as if they came one after the other.
            copyWaiting();
            lookAgain(target);
            waitingTargets.add(target.path);
        }
        waiting.add(new Copy(src, target));
        if (waiting.size() >= mostWaiting) {
            copyWaiting();
        }
    }

    /** Where the first has failed there is none. */
    private static void lookAgain(PathData target) throws IOException {
        try {
            target.refreshStatus();
        } catch (PathNotFoundException e) {
            // The second may have the name.
        }
    }

    /** A folder's times are preserved when its files are there. */
    @Override
    protected void processPaths(@Nullable PathData parent, PathData... items) throws IOException {
        super.processPaths(parent, items);
        if (preserving) {
            copyWaiting();
        }
    }

    @Override
    protected void processPaths(@Nullable PathData parent, RemoteIterator<PathData> items) throws IOException {
        super.processPaths(parent, items);
        if (preserving) {
            copyWaiting();
        }
    }

    /** Several files at once, which share the threads and the memory. What fails of one is said, as FsShell does. */
    private void copyWaiting() throws IOException {
        List<Copy> copies = List.copyOf(waiting);
        waiting.clear();
        waitingTargets.clear();
        if (copies.isEmpty()) {
            return;
        }
        UploadOptions asked = requireSet(options);
        int atOnce = Math.min(asked.threads(), copies.size());
        UploadOptions share = asked.sharedBy(atOnce);
        try (SharedProgress progress = openProgress(copies)) {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (Copy copy : copies) {
                tasks.add(() -> {
                    copyOne(copy, share, progress);
                    return null;
                });
            }
            SideBySide.run(atOnce, tasks);
        }
    }

    private void copyOne(Copy copy, UploadOptions share, SharedProgress progress) {
        try {
            copy(UploadSource.ofFile(copy.source()), copy.target(), share, progress);
            preserve(copy.source(), copy.target());
        } catch (IOException e) {
            synchronized (this) {
                progress.erase();
                displayError(e);
            }
        }
    }

    private void copy(UploadSource source, PathData target, UploadOptions asked, SharedProgress progress)
            throws IOException {
        if (target.exists && (target.stat.isDirectory() || !overwrite)) {
            throw new PathExistsException(target.toString());
        }
        refuseTooManyBlocks(source);
        Optional<String> opaque = asked.records().opaque(target.path);
        UploadOptions own = opaque.isPresent() ? asked.with(RecordFormats.raw()) : asked;
        try (HdfsDestination destination = new HdfsDestination(requireSet(fs), target, overwrite)) {
            UploadSummary summary =
                    new Upload(requireSet(shredder), own).copy(source, destination, progress.ofOneFile());
            synchronized (this) {
                progress.erase();
                out.println(summary.line(target.toString()));
                opaque.ifPresent(why -> out.println(target + ": " + why));
                differs |= !summary.blocks().ordinary();
            }
        }
    }

    private void refuseTooManyBlocks(UploadSource source) throws IOException {
        if (source.length().isPresent()) {
            requireSet(options)
                    .plan()
                    .checkLength(source.name(), source.length().getAsLong());
        }
    }

    private void copyStandardInput(PathData target) throws IOException {
        UploadSource source = UploadSource.ofStream("standard input", System.in);
        try (SharedProgress progress = openProgress(source.name(), source.length())) {
            copy(source, target, requireSet(options).sharedBy(1), progress);
        }
    }

    private SharedProgress openProgress(List<Copy> copies) {
        long bytes =
                copies.stream().mapToLong(copy -> copy.source().stat.getLen()).sum();
        String name = copies.size() == 1 ? copies.get(0).source().toString() : copies.size() + " files";
        return openProgress(name, OptionalLong.of(bytes));
    }

    private SharedProgress openProgress(String name, OptionalLong bytes) {
        boolean onTerminal = Boolean.getBoolean(PROGRESS_PROPERTY);
        return new SharedProgress(new UploadProgress(err, onTerminal, name, bytes, System.nanoTime()));
    }

    /** The manifest tells of the file's contents, so whoever may not read the one may not read the other. */
    private void preserve(PathData src, PathData target) throws IOException {
        boolean rawAttributes = false;
        preserveAttributes(src, target, rawAttributes);
        Path published = ManifestPaths.published(requireSet(fs), target.path);
        PathData manifest = new PathData(published.toString(), getConf());
        preserveAttributes(src, manifest, rawAttributes);
    }

    /** FsShell calls in an order that sets it. */
    private static <T> T requireSet(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("processOptions and processArguments come first");
        }
        return value;
    }
}
