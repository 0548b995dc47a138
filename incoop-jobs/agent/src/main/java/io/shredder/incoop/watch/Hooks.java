// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which methods tell {@link JvmWatch} that they were called. Everything that reaches a file, a socket or a process from
 * Java ends in one of them. {@code java.io} and {@code java.nio.file} end in the JDK's own classes for Unix, every
 * socket in {@code sun.nio.ch.Net}, every process in {@code ProcessImpl}. Every access to HDFS, by whichever API, ends
 * in {@code DFSClient}. What goes past them needs native code, whose loading is seen.
 */
final class Hooks {

    /** How a hook is called. */
    enum Shape {
        /** Without arguments. */
        NOTHING("()V"),
        /** With the object itself. */
        THIS("(Ljava/lang/Object;)V"),
        /** With the object itself and the method's first argument. */
        THIS_FIRST("(Ljava/lang/Object;Ljava/lang/Object;)V"),
        /** With the method's first argument. */
        FIRST("(Ljava/lang/Object;)V"),
        /** With the method's second argument. */
        SECOND("(Ljava/lang/Object;)V"),
        /** With its first two arguments, both references. */
        TWO("(Ljava/lang/Object;Ljava/lang/Object;)V"),
        /** With its first two arguments, a reference and an int. */
        WITH_INT("(Ljava/lang/Object;I)V"),
        /**
         * Of a static method that starts a process: with its first, second and fourth argument, which are the command,
         * the environment and where the streams lead. What the hook returns is the command that is started.
         */
        COMMAND("(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");

        private final String descriptor;

        Shape(String descriptor) {
            this.descriptor = descriptor;
        }

        String descriptor() {
            return descriptor;
        }
    }

    /**
     * A hook at the start of methods.
     *
     * @param methods by name, whatever their arguments
     * @param target the method of {@link JvmWatch}
     */
    record Hook(Set<String> methods, String target, Shape shape) {}

    /** The class whose field holds a record's offset; each read of the field tells. */
    static final String OFFSET_CLASS = "org/apache/hadoop/io/LongWritable";

    static final String OFFSET_FIELD = "value";

    private static final Hook LOCAL_FILES_READ = hook(
            "localRead",
            Shape.FIRST,
            "newDirectoryStream readAttributes readAttributesIfExists checkAccess isSameFile isHidden readSymbolicLink"
                    + " getFileAttributeView exists");

    /** {@code Files} asks for these past {@code readAttributes}. */
    private static final Hook LOCAL_FILES_LOOKED_AT = hook("localLook", Shape.FIRST, "isDirectory isRegularFile");

    private static final Hook DISKS = hook("host", Shape.NOTHING, "getFileStore");

    private static final Hook LOCAL_FILES_WRITTEN = hook(
            "localWrite",
            Shape.FIRST,
            "copy move delete deleteIfExists implDelete createDirectory createLink createSymbolicLink setAttribute");

    private static final Hook CHANNELS =
            hook("channel", Shape.TWO, "newByteChannel newFileChannel newAsynchronousFileChannel");

    private static final List<Hook> PROVIDER =
            List.of(LOCAL_FILES_READ, LOCAL_FILES_LOOKED_AT, LOCAL_FILES_WRITTEN, CHANNELS, DISKS);

    private static final List<Hook> SPLITS = List.of(
            hook("splitFile", Shape.THIS, "getPath"),
            hook("splitPlace", Shape.THIS, "getStart getLength getLocations getLocationInfo toString write"));

    private static final Map<String, List<Hook>> BY_CLASS = Map.ofEntries(
            Map.entry("java/io/FileInputStream", List.of(hook("localRead", Shape.FIRST, "open"))),
            Map.entry("java/io/FileOutputStream", List.of(hook("localWrite", Shape.FIRST, "open"))),
            Map.entry("java/io/RandomAccessFile", List.of(hook("randomAccess", Shape.WITH_INT, "open"))),
            Map.entry(
                    "java/io/File",
                    List.of(
                            hook("localLook", Shape.THIS, "exists isDirectory isFile"),
                            hook(
                                    "localRead",
                                    Shape.THIS,
                                    "canRead canWrite canExecute isHidden lastModified length list"
                                            + " normalizedList getCanonicalPath"),
                            hook("host", Shape.NOTHING, "getTotalSpace getFreeSpace getUsableSpace"),
                            hook(
                                    "localWrite",
                                    Shape.THIS,
                                    "createNewFile delete deleteOnExit mkdir renameTo setLastModified setReadOnly setWritable"
                                            + " setReadable setExecutable"),
                            hook("localWrite", Shape.FIRST, "createTempFile"))),
            Map.entry("sun/nio/fs/UnixFileSystemProvider", PROVIDER),
            Map.entry("sun/nio/fs/LinuxFileSystemProvider", PROVIDER),
            Map.entry("sun/nio/fs/UnixPath", List.of(hook("localRead", Shape.THIS, "toRealPath"))),
            Map.entry("sun/nio/ch/Net", List.of(hook("network", Shape.NOTHING, "socket serverSocket"))),
            Map.entry("sun/nio/ch/UnixDomainSockets", List.of(hook("network", Shape.NOTHING, "socket"))),
            Map.entry(
                    "java/net/InetAddress",
                    List.of(
                            hook("host", Shape.NOTHING, "getLocalHost"),
                            hook("network", Shape.NOTHING, "getAllByName0 getAllByName getHostFromNameService"))),
            Map.entry("java/net/NetworkInterface", List.of(hook("host", Shape.NOTHING, "getNetworkInterfaces"))),
            Map.entry("java/lang/ProcessImpl", List.of(hook("process", Shape.COMMAND, "start"))),
            Map.entry("java/lang/ProcessBuilder", List.of(hook("environment", Shape.FIRST, "environment"))),
            Map.entry("java/lang/Runtime", List.of(hook("nativeCode", Shape.SECOND, "load0 loadLibrary0"))),
            Map.entry(
                    "java/lang/System",
                    List.of(
                            hook("environment", Shape.FIRST, "getenv"),
                            hook("jvmChange", Shape.FIRST, "setProperty clearProperty setProperties"))),
            Map.entry("java/util/Locale", List.of(hook("jvmChange", Shape.FIRST, "setDefault"))),
            Map.entry("java/util/TimeZone", List.of(hook("jvmChange", Shape.FIRST, "setDefault"))),
            Map.entry(
                    "java/lang/reflect/AccessibleObject",
                    List.of(hook("opened", Shape.SECOND, "checkCanSetAccessible"))),
            Map.entry("java/lang/invoke/MethodHandles", List.of(hook("opened", Shape.FIRST, "privateLookupIn"))),
            Map.entry("sun/misc/Unsafe", List.of(hook("unsafeField", Shape.FIRST, "objectFieldOffset"))),
            Map.entry(
                    "org/apache/hadoop/hdfs/DFSClient",
                    List.of(
                            hook(
                                    "hdfsRead",
                                    Shape.THIS_FIRST,
                                    "open getLocatedBlocks getFileInfo getLocatedFileInfo getFileLinkInfo listPaths"
                                            + " getFileChecksum getFileChecksumWithCombineMode"),
                            hook(
                                    "hdfsDetail",
                                    Shape.FIRST,
                                    "getBlockLocations isFileClosed getLinkTarget batchedListPaths getContentSummary"
                                            + " getQuotaUsage getStoragePolicy getAclStatus getXAttr getXAttrs"
                                            + " listXAttrs checkAccess getErasureCodingPolicy getSnapshotDiffReport"
                                            + " getSnapshotDiffReportListing getSnapshotListing getEZForPath"
                                            + " getEnclosingRoot getDiskStatus getSnapshottableDirListing"
                                            + " listEncryptionZones listCacheDirectives listCachePools listOpenFiles"
                                            + " listCorruptFileBlocks datanodeReport getDatanodeStorageReport"
                                            + " slowDatanodeReport getMissingBlocksCount getInotifyEventStream"
                                            + " getErasureCodingPolicies getStoragePolicies"),
                            hook(
                                    "hdfsWrite",
                                    Shape.THIS_FIRST,
                                    "create primitiveCreate createSymlink append rename delete mkdirs primitiveMkdir concat"
                                            + " truncate setReplication setStoragePolicy unsetStoragePolicy setOwner"
                                            + " setPermission setTimes setAcl removeAcl modifyAclEntries removeAclEntries"
                                            + " removeDefaultAcl setXAttr removeXAttr setQuota createSnapshot deleteSnapshot"
                                            + " renameSnapshot allowSnapshot disallowSnapshot createEncryptionZone"
                                            + " setErasureCodingPolicy unsetErasureCodingPolicy recoverLease"))),
            Map.entry("org/apache/hadoop/mapreduce/lib/input/FileSplit", SPLITS),
            Map.entry("org/apache/hadoop/mapred/FileSplit", SPLITS),
            Map.entry("org/apache/hadoop/ipc/Client", List.of(hook("network", Shape.NOTHING, "call"))),
            Map.entry(
                    "org/apache/hadoop/conf/Configuration",
                    List.of(hook("jvmChange", Shape.FIRST, "addDefaultResource"))),
            Map.entry(
                    "org/apache/hadoop/fs/RawLocalFileSystem",
                    List.of(hook("jvmChange", Shape.FIRST, "setWorkingDirectory"))),
            Map.entry(
                    "org/apache/hadoop/hdfs/DistributedFileSystem",
                    List.of(hook("jvmChange", Shape.FIRST, "setWorkingDirectory"))));

    private static final Set<String> CLASSES =
            Stream.concat(BY_CLASS.keySet().stream(), Stream.of(OFFSET_CLASS)).collect(Collectors.toUnmodifiableSet());

    private Hooks() {}

    private static Hook hook(String target, Shape shape, String methods) {
        return new Hook(Set.of(methods.split(" ")), target, shape);
    }

    /** Internal names of all classes that are changed. */
    static Set<String> classes() {
        return CLASSES;
    }

    /** The hook at the start of a method, if there is one. */
    static @Nullable Hook find(String internalName, String method) {
        for (Hook hook : BY_CLASS.getOrDefault(internalName, List.of())) {
            if (hook.methods().contains(method)) {
                return hook;
            }
        }
        return null;
    }
}
