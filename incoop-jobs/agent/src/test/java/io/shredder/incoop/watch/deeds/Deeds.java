// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch.deeds;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.logging.FileHandler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.apache.hadoop.io.LongWritable;

/** What a job might do, one thing a method. Loaded by a loader of jobs. */
public final class Deeds {

    private Deeds() {}

    /** Does a thing by its name. */
    public static Object run(String name, Object argument) throws Exception {
        return Deeds.class.getMethod(name, Object.class).invoke(null, argument);
    }

    public static Object fileInputStream(Object file) throws Exception {
        try (FileInputStream in = new FileInputStream((String) file)) {
            return in.read();
        }
    }

    public static Object fileOutputStream(Object file) throws Exception {
        try (FileOutputStream out = new FileOutputStream(file + ".written")) {
            out.write(1);
        }
        return null;
    }

    public static Object randomAccessRead(Object file) throws Exception {
        try (RandomAccessFile in = new RandomAccessFile((String) file, "r")) {
            return in.read();
        }
    }

    public static Object randomAccessWrite(Object file) throws Exception {
        try (RandomAccessFile out = new RandomAccessFile((String) file, "rw")) {
            return out.length();
        }
    }

    public static Object filesRead(Object file) throws Exception {
        return Files.readAllBytes(Path.of((String) file));
    }

    public static Object filesLines(Object file) throws Exception {
        return Files.readAllLines(Path.of((String) file));
    }

    public static Object filesWrite(Object file) throws Exception {
        return Files.writeString(Path.of(file + ".nio"), "x");
    }

    public static Object filesCopy(Object file) throws Exception {
        return Files.copy(Path.of((String) file), Path.of(file + ".copy"));
    }

    public static Object filesExists(Object file) {
        return Files.exists(Path.of((String) file));
    }

    public static Object filesList(Object file) throws Exception {
        try (var list = Files.list(Path.of((String) file).getParent())) {
            return list.count();
        }
    }

    public static Object filesIsDirectory(Object file) {
        return Files.isDirectory(Path.of((String) file));
    }

    public static Object filesIsRegularFile(Object file) {
        return Files.isRegularFile(Path.of((String) file));
    }

    public static Object realPath(Object file) throws Exception {
        return Path.of((String) file).toRealPath();
    }

    public static Object canonicalPath(Object file) throws Exception {
        return new File((String) file).getCanonicalFile();
    }

    public static Object freeSpace(Object file) {
        return new File((String) file).getUsableSpace();
    }

    public static Object fileStore(Object file) throws Exception {
        return Files.getFileStore(Path.of((String) file)).name();
    }

    public static Object channel(Object file) throws Exception {
        try (FileChannel in = FileChannel.open(Path.of((String) file), StandardOpenOption.READ)) {
            return in.size();
        }
    }

    public static Object fileExists(Object file) {
        return new File((String) file).exists();
    }

    public static Object fileList(Object file) {
        return new File((String) file).getParentFile().list();
    }

    public static Object fileDelete(Object file) {
        return new File(file + ".none").delete();
    }

    public static Object url(Object file) throws Exception {
        try (var in = new URL("file://" + file).openStream()) {
            return in.read();
        }
    }

    public static Object inAnExecutor(Object file) throws Exception {
        var threads = Executors.newSingleThreadExecutor();
        try {
            Callable<Object> read = () -> Files.readAllBytes(Path.of((String) file));
            return threads.submit(read).get();
        } finally {
            threads.shutdown();
        }
    }

    public static Object inAParallelStream(Object file) {
        return List.of(Path.of((String) file), Path.of((String) file)).parallelStream()
                .map(Path::toFile)
                .map(File::length)
                .toList();
    }

    public static Object socket(Object unused) throws Exception {
        try (Socket socket = new Socket()) {
            socket.bind(null);
            return socket.getLocalPort();
        }
    }

    public static Object socketChannel(Object unused) throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            return channel.isOpen();
        }
    }

    public static Object serverSocket(Object unused) throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    public static Object datagram(Object unused) throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            return socket.getLocalPort();
        }
    }

    public static Object localHost(Object unused) throws Exception {
        return InetAddress.getLocalHost();
    }

    public static Object process(Object file) throws Exception {
        return new ProcessBuilder("cat", (String) file).start().waitFor();
    }

    public static Object exec(Object file) throws Exception {
        return Runtime.getRuntime().exec(new String[] {"true"}).waitFor();
    }

    public static Object nativeCode(Object file) {
        try {
            System.load(file + ".so");
        } catch (UnsatisfiedLinkError e) {
            return "there is none";
        }
        return null;
    }

    public static Object environment(Object unused) {
        return System.getenv("HOME");
    }

    public static Object wholeEnvironment(Object unused) {
        return System.getenv().size();
    }

    public static Object property(Object unused) {
        return System.setProperty("deeds", "done");
    }

    public static Object locale(Object unused) {
        Locale.setDefault(Locale.getDefault());
        return null;
    }

    public static Object timeZone(Object unused) {
        TimeZone.setDefault(TimeZone.getDefault());
        return null;
    }

    public static Object offsetGet(Object key) {
        return ((LongWritable) key).get();
    }

    public static Object offsetCompared(Object key) {
        return new LongWritable(0).compareTo((LongWritable) key);
    }

    public static Object offsetEquals(Object key) {
        return new LongWritable(0).equals(key);
    }

    public static Object offsetHash(Object key) {
        return key.hashCode();
    }

    public static Object offsetText(Object key) {
        return "at " + key;
    }

    public static Object offsetByReflection(Object key) throws Exception {
        Field value = LongWritable.class.getDeclaredField("value");
        value.setAccessible(true);
        return value.getLong(key);
    }

    public static Object offsetByHandle(Object key) throws Exception {
        return MethodHandles.privateLookupIn(LongWritable.class, MethodHandles.lookup())
                .findGetter(LongWritable.class, "value", long.class);
    }

    public static Object logs(Object file) throws Exception {
        FileHandler log = new FileHandler(file + ".log", true);
        log.publish(new LogRecord(Level.INFO, "logged"));
        log.close();
        return null;
    }

    public static Object nothing(Object file) {
        return String.valueOf(file).hashCode()
                + List.of(1, 2, 3).stream().mapToInt(i -> i).sum();
    }
}
