// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.agent.session.SmallRepository;
import io.shredder.backup.server.RepositoryLife.State;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What somebody, or a disk, did to the files of a repository that no agent had open.
 *
 * @param kind of files, and what was done to them; for figures
 * @param what in detail
 * @param files as they are now
 * @param putBack the whole repository is another or an earlier one, consistent in itself: only whoever knows more can
 *     tell
 * @param snapshots those that the repository had when all of its files were as they are now
 */
record Tampering(String kind, String what, SortedMap<String, byte[]> files, boolean putBack, TreeSet<Long> snapshots) {

    private static final String ROOT = SmallRepository.NAME + "/";
    private static final List<String> FOLDERS =
            List.of("snapshots/", "snapshots/site1/", "snapshots/site1/vm/", "containers/", "index/", "putbytes/");
    private static final List<List<String>> SIBLINGS = List.of(
            List.of("snapshots/site1/vm/", "snapshots/site1/db/"), List.of("snapshots/site1/", "snapshots/site2/"));
    /** On the agent's own disk, where containers and snapshots are in a store elsewhere. */
    private static final List<String> LOCAL = List.of("catalogue.log", "audit.log", "index/", "putbytes/", "reserve");

    /** What kind of file this is. */
    static String kindOf(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (path.contains("/snapshots/")) {
            return "snapshot";
        } else if (path.contains("/containers/")) {
            return "container";
        } else if (path.contains("/index/")) {
            return "index " + name.replaceAll("[0-9a-f]{8}\\.", "");
        }
        return path.contains("/putbytes/") ? "putbytes" : name;
    }

    /** Any; changes nothing of the states. */
    static Tampering any(Random random, List<State> states, SortedMap<String, byte[]> foreign) {
        return new Choice(random, states, foreign).any();
    }

    /** One choice. */
    private static final class Choice {

        private static final int MOST_TRIES = 100;

        private final Random random;
        private final List<State> states;
        private final SortedMap<String, byte[]> foreign;
        private final State last;
        private final SortedMap<String, byte[]> files;

        Choice(Random random, List<State> states, SortedMap<String, byte[]> foreign) {
            this.random = random;
            this.states = states;
            this.foreign = foreign;
            this.last = states.get(states.size() - 1);
            this.files = new TreeMap<>(last.files());
        }

        Tampering any() {
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                Tampering made = once();
                if (!sameAsBefore(made)) {
                    return made;
                }
                files.clear();
                files.putAll(last.files());
            }
            throw new IllegalStateException("nothing can be changed");
        }

        private boolean sameAsBefore(Tampering made) {
            return made.files().keySet().equals(last.files().keySet())
                    && made.files().entrySet().stream()
                            .allMatch(file ->
                                    Arrays.equals(file.getValue(), last.files().get(file.getKey())));
        }

        private Tampering once() {
            return switch (random.nextInt(14)) {
                case 0, 1 -> deleted();
                case 2, 3 -> exchanged();
                case 4, 5 -> older();
                case 6 -> ofAnotherRepository();
                case 7, 8 -> duplicated();
                case 9 -> folderDeleted();
                case 10 -> folderOlder();
                case 11 -> foldersExchanged();
                case 12 -> halfOlder();
                default -> allOlder();
            };
        }

        private Tampering made(String kind, String what) {
            return new Tampering(
                    kind, what, files, false, new TreeSet<>(last.snapshots().keySet()));
        }

        /** Each kind of file as often as each other. */
        private String anyFile() {
            List<String> kinds =
                    files.keySet().stream().map(Tampering::kindOf).distinct().toList();
            return any(ofKind(kinds.get(random.nextInt(kinds.size()))));
        }

        private List<String> ofKind(String kind) {
            return files.keySet().stream()
                    .filter(path -> kindOf(path).equals(kind))
                    .toList();
        }

        private <T> T any(List<T> list) {
            return list.get(random.nextInt(list.size()));
        }

        private State anyEarlier() {
            return states.get(random.nextInt(states.size() - 1));
        }

        private Tampering deleted() {
            String file = anyFile();
            files.remove(file);
            return made(kindOf(file) + " deleted", file);
        }

        private Tampering exchanged() {
            String one = anyFile();
            String other = any(ofKind(kindOf(one)));
            byte[] before = files.get(one);
            files.put(one, files.get(other));
            files.put(other, before);
            return made(kindOf(one) + " exchanged", one + " and " + other);
        }

        private Tampering older() {
            String file = anyFile();
            int state = random.nextInt(states.size() - 1);
            byte[] before = states.get(state).files().get(file);
            if (before != null) {
                files.put(file, before);
            }
            return made(kindOf(file) + " older", file + " of state " + state);
        }

        private Tampering ofAnotherRepository() {
            String file = anyFile();
            List<String> others = foreign.keySet().stream()
                    .filter(path -> kindOf(path).equals(kindOf(file)))
                    .toList();
            if (!others.isEmpty()) {
                files.put(file, foreign.get(any(others)));
            }
            return made(kindOf(file) + " of another repository", file);
        }

        /** Over another of its kind, or under a name of its own. */
        private Tampering duplicated() {
            String file = anyFile();
            String to = any(ofKind(kindOf(file)));
            if (random.nextBoolean()) {
                to = newName(file);
            }
            files.put(to, files.get(file));
            return made(kindOf(file) + " duplicated", file + " as " + to);
        }

        private String newName(String file) {
            String folder = file.substring(0, file.lastIndexOf('/') + 1);
            return switch (kindOf(file)) {
                case "snapshot" ->
                    any(List.of(folder, ROOT + "snapshots/site1/vm/", ROOT + "snapshots/site1/new/"))
                            + String.format("%016d.snapshot", 1 + random.nextInt(12));
                case "container" -> folder + String.format("%08x.container", 1 + random.nextInt(20));
                case "index run" -> folder + String.format("%08x.run", 1 + random.nextInt(40));
                case "index log" -> folder + String.format("%08x.log", 1 + random.nextInt(40));
                default -> file + ".copy";
            };
        }

        private boolean isUnder(String file, List<String> names) {
            return names.stream().anyMatch(name -> file.startsWith(ROOT + name));
        }

        private Tampering folderDeleted() {
            String folder = any(FOLDERS);
            files.keySet().removeIf(file -> isUnder(file, List.of(folder)));
            return made("folder " + folder + " deleted", folder);
        }

        private Tampering folderOlder() {
            String folder = any(FOLDERS);
            takeFrom(anyEarlier(), List.of(folder));
            return made("folder " + folder + " older", folder);
        }

        private void takeFrom(State earlier, List<String> names) {
            files.keySet().removeIf(file -> isUnder(file, names));
            earlier.files().forEach((file, bytes) -> {
                if (isUnder(file, names)) {
                    files.put(file, bytes);
                }
            });
        }

        private Tampering foldersExchanged() {
            List<String> pair = any(SIBLINGS);
            SortedMap<String, byte[]> moved = new TreeMap<>();
            for (int i = 0; i < 2; i++) {
                String from = ROOT + pair.get(i);
                String to = ROOT + pair.get(1 - i);
                last.files().forEach((file, bytes) -> {
                    if (file.startsWith(from)) {
                        files.remove(file);
                        moved.put(to + file.substring(from.length()), bytes);
                    }
                });
            }
            files.putAll(moved);
            return made("folders of snapshots exchanged", String.join(" and ", pair));
        }

        /** The agent's own disk, or the store, is put back, and the other is not. */
        private Tampering halfOlder() {
            State earlier = anyEarlier();
            if (random.nextBoolean()) {
                takeFrom(earlier, LOCAL);
                return made("the agent's own disk older", "state " + states.indexOf(earlier));
            }
            SortedMap<String, byte[]> local = new TreeMap<>(last.files());
            local.keySet().removeIf(file -> file.startsWith(ROOT) && !isUnder(file, LOCAL));
            files.clear();
            files.putAll(earlier.files());
            files.keySet().removeIf(file -> !file.startsWith(ROOT) || isUnder(file, LOCAL));
            files.putAll(local);
            return made("the store older", "state " + states.indexOf(earlier));
        }

        private Tampering allOlder() {
            if (random.nextInt(8) == 0) {
                return new Tampering("another repository", "whole", foreign, true, new TreeSet<>());
            }
            State earlier = anyEarlier();
            return new Tampering(
                    "all older",
                    "state " + states.indexOf(earlier),
                    earlier.files(),
                    true,
                    new TreeSet<>(earlier.snapshots().keySet()));
        }
    }
}
