// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a subclass of an InputFormat adds to it, read off its class file: nothing, or options of the reader that it sets
 * before it calls its superclass. Anything else that Hadoop would come to run is an objection, whatever it does:
 *
 * <ul>
 *   <li>a constructor that does more than call its superclass's, a static initialiser, an interface;
 *   <li>a method that has the name of an inherited one, but for {@code createRecordReader} or {@code getRecordReader}
 *       whose code is a row of {@code set("KEY", "VALUE")} on the task's configuration, and a call of its superclass's.
 * </ul>
 *
 * Methods with names of their own are never called by Hadoop.
 */
final class SubclassOf {

    /** What readers of the served formats take from the configuration, and nothing else of Hadoop does. */
    private static final Set<String> READERS_OPTIONS =
            Set.of("textinputformat.record.delimiter", "mapreduce.input.keyvaluelinerecordreader.key.value.separator");

    private static final String SET = "set(Ljava/lang/String;Ljava/lang/String;)V";
    private static final List<String> NEW_API_CONFIGURATION = List.of(
            "load 2",
            "call org/apache/hadoop/mapreduce/TaskAttemptContext.getConfiguration()"
                    + "Lorg/apache/hadoop/conf/Configuration;");
    private static final List<String> OLD_API_CONFIGURATION = List.of("load 2");

    private final Class<?> type;
    private final ClassFile file;
    private final Map<String, String> settings = new LinkedHashMap<>();

    private SubclassOf(Class<?> type, ClassFile file) {
        this.type = type;
        this.file = file;
    }

    /**
     * The options of the reader that a class sets, before its superclass may set others.
     *
     * @throws UnservedFormatException if it may do anything else; the message completes "its input format "
     */
    static Map<String, String> settings(Class<?> type) throws UnservedFormatException {
        try {
            SubclassOf subclass = new SubclassOf(type, ClassFile.read(bytes(type)));
            subclass.check();
            return subclass.settings;
        } catch (IOException | LinkageError e) {
            throw new UnservedFormatException(type.getName() + " can't be looked into: " + e.getMessage());
        }
    }

    private static byte[] bytes(Class<?> type) throws IOException {
        String name = type.getName();
        try (InputStream in = type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            if (in == null) {
                throw new FileNotFoundException("it has no class file");
            }
            return in.readAllBytes();
        }
    }

    private void check() throws IOException, UnservedFormatException {
        if (file.interfaces() > 0) {
            throw objection("implements an interface");
        }
        Set<String> inherited = inheritedNames();
        for (ClassFile.Method method : file.methods()) {
            if (method.name().equals("<clinit>")) {
                throw objection("has a static initialiser");
            }
            if (method.name().equals("<init>")) {
                checkConstructor(method);
            } else if (inherited.contains(method.name()) && !onlySets(method)) {
                throw objection("overrides " + method.name());
            }
        }
    }

    private UnservedFormatException objection(String what) {
        return new UnservedFormatException(type.getName() + " " + what);
    }

    private Set<String> inheritedNames() {
        Set<String> names = new HashSet<>();
        for (Class<?> above = type.getSuperclass(); above != null; above = above.getSuperclass()) {
            for (java.lang.reflect.Method method : above.getDeclaredMethods()) {
                names.add(method.getName());
            }
        }
        return names;
    }

    private String inSuperclass(ClassFile.Method method) {
        return "super " + type.getSuperclass().getName().replace('.', '/') + "." + method.name() + method.descriptor();
    }

    private void checkConstructor(ClassFile.Method constructor) throws IOException, UnservedFormatException {
        boolean nothing = constructor.descriptor().equals("()V")
                && StraightCode.words(constructor, file.constants())
                        .equals(Optional.of(List.of("load 0", inSuperclass(constructor), "return")));
        if (!nothing) {
            throw objection("has a constructor that does more than call that of its superclass");
        }
    }

    /** Whether a method only sets options of the reader, which are noted, before it calls its superclass. */
    private boolean onlySets(ClassFile.Method method) throws IOException {
        return switch (method.name()) {
            case "createRecordReader" ->
                onlySets(method, NEW_API_CONFIGURATION, "org/apache/hadoop/conf/Configuration", 2);
            case "getRecordReader" -> onlySets(method, OLD_API_CONFIGURATION, "org/apache/hadoop/mapred/JobConf", 3);
            default -> false;
        };
    }

    private boolean onlySets(ClassFile.Method method, List<String> configuration, String owner, int arguments)
            throws IOException {
        List<String> left =
                new ArrayList<>(StraightCode.words(method, file.constants()).orElse(List.of()));
        int wordsPerOption = configuration.size() + 3;
        while (left.size() >= wordsPerOption && noteOption(left.subList(0, wordsPerOption), configuration, owner)) {
            left.subList(0, wordsPerOption).clear();
        }
        List<String> call = new ArrayList<>();
        for (int i = 0; i <= arguments; i++) {
            call.add("load " + i);
        }
        call.add(inSuperclass(method));
        call.add("return");
        return left.equals(call);
    }

    private boolean noteOption(List<String> words, List<String> configuration, String owner) {
        int behind = configuration.size();
        String key = words.get(behind);
        String value = words.get(behind + 1);
        boolean sets = words.subList(0, behind).equals(configuration)
                && key.startsWith("string ")
                && value.startsWith("string ")
                && words.get(behind + 2).equals("call " + owner + "." + SET);
        String name = key.substring(key.indexOf(' ') + 1);
        // A value with a variable in it depends on other options, too.
        if (!sets || !READERS_OPTIONS.contains(name) || value.contains("${")) {
            return false;
        }
        settings.put(name, value.substring("string ".length()));
        return true;
    }
}
