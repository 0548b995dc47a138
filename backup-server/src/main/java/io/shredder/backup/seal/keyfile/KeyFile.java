// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal.keyfile;

import io.shredder.backup.seal.PrivateFiles;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A repository key at rest: {@code docs/formats/key.md}. A text file with the key's id and the key itself wrapped by
 * one or more secrets, any of which opens it. An immutable value: changes give a new one, to be written with
 * {@link #replace}.
 */
public final class KeyFile {

    /** The most wrappings of one file. */
    public static final int MAX_WRAPPINGS = 32;

    private static final String FIRST_LINE = "shredder-backup-key 1";
    private static final String FIRST_WORD = "shredder-backup-key ";
    private static final String ID_WORD = "id ";
    private static final String CHECK_WORD = "check ";
    private static final int MAX_FILE_BYTES = 64 << 10;

    private final KeyId id;
    private final List<KeyWrapping> wrappings;

    private KeyFile(KeyId id, List<KeyWrapping> wrappings) {
        this.id = id;
        this.wrappings = List.copyOf(wrappings);
    }

    /** A file for this key, opened by this secret. */
    public static KeyFile of(RepositoryKey key, Secret secret, SecureRandom random) {
        return new KeyFile(key.id(), List.of()).with(key, secret, random);
    }

    /** The same file, opened by this secret, too. */
    public KeyFile with(RepositoryKey key, Secret secret, SecureRandom random) {
        List<KeyWrapping> more = new ArrayList<>(wrappings);
        more.add(KeyWrapping.wrap(key, secret, WrappingKey.forNew(secret, random), random));
        return new KeyFile(id, more);
    }

    /**
     * The same file without one wrapping.
     *
     * @param number counted from 1
     * @throws IOException if there is none of this number, or no other
     */
    public KeyFile without(int number) throws IOException {
        if (number < 1 || number > wrappings.size()) {
            throw new IOException("there is no wrapping " + number + ": see 'shredder-backup key check'");
        }
        if (wrappings.size() == 1) {
            throw new IOException("this is the only wrapping, without it the key is lost: add another one first");
        }
        List<KeyWrapping> fewer = new ArrayList<>(wrappings);
        fewer.remove(number - 1);
        return new KeyFile(id, fewer);
    }

    /** The key's public name. */
    public KeyId id() {
        return id;
    }

    /** All wrappings; people count them from 1. */
    public List<KeyWrapping> wrappings() {
        return wrappings;
    }

    /** Which wrapping this secret opens, counted from 1, if any. */
    public Optional<Integer> opens(Secret secret) {
        for (int i = 0; i < wrappings.size(); i++) {
            if (wrappings.get(i).unwrap(secret, id).isPresent()) {
                return Optional.of(i + 1);
            }
        }
        return Optional.empty();
    }

    /**
     * The key.
     *
     * @throws IOException if no wrapping is this secret's
     */
    public RepositoryKey unlock(Secret secret) throws IOException {
        for (KeyWrapping wrapping : wrappings) {
            Optional<RepositoryKey> key = wrapping.unwrap(secret, id);
            if (key.isPresent()) {
                return key.get();
            }
        }
        long ofKind =
                wrappings.stream().filter(wrapping -> wrapping.takes(secret)).count();
        throw new IOException(secret.description() + " is not one of key " + id + ": its file has " + ofKind
                + " wrappings of this kind, " + wrappings.size() + " in all");
    }

    /** Writes a new file; refused if there is one. */
    public void create(Path file) throws IOException {
        PrivateFiles.create(file, text());
    }

    /** Replaces the file, atomically. */
    public void replace(Path file) throws IOException {
        PrivateFiles.replace(file, text());
    }

    private String text() {
        StringBuilder text = new StringBuilder(FIRST_LINE + "\n" + ID_WORD + id + "\n");
        wrappings.forEach(wrapping -> text.append(wrapping.line()).append('\n'));
        return text + CHECK_WORD + digest(text.toString()) + "\n";
    }

    private static Fingerprint digest(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Reads a file; any damage is refused with its offset. */
    public static KeyFile read(Path file) throws IOException {
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new DamagedDataException(file.toString(), MAX_FILE_BYTES, "too long for a key file");
            }
            return parse(Files.readString(file, StandardCharsets.ISO_8859_1), file.toString());
        } catch (DamagedDataException e) {
            throw new IOException(
                    e.getMessage() + ": name the right file with --repository-key, put it back from a copy, or make it"
                            + " again with 'shredder-backup key create --from-paper'",
                    e);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "there is no key file " + file + ": name it with --repository-key, or make one with"
                            + " 'shredder-backup key create'",
                    e);
        }
    }

    static KeyFile parse(String text, String source) throws DamagedDataException {
        if (!text.startsWith(FIRST_LINE + "\n")) {
            throw new DamagedDataException(
                    source,
                    0,
                    text.startsWith(FIRST_WORD)
                            ? "another version, this program reads '" + FIRST_LINE + "': upgrade it"
                            : "not a key file");
        }
        int checkAt = text.lastIndexOf("\n" + CHECK_WORD) + 1;
        if (checkAt == 0 || !text.substring(checkAt).equals(CHECK_WORD + digest(text.substring(0, checkAt)) + "\n")) {
            throw new DamagedDataException(source, Math.max(0, checkAt), "its check differs");
        }
        return parseChecked(text.substring(0, checkAt), source);
    }

    private static KeyFile parseChecked(String text, String source) throws DamagedDataException {
        int at = FIRST_LINE.length() + 1;
        Optional<KeyId> id = Optional.empty();
        List<KeyWrapping> wrappings = new ArrayList<>();
        for (String line : text.substring(at).split("\n", -1)) {
            try {
                if (id.isEmpty()) {
                    id = Optional.of(parseId(line));
                } else if (!line.isEmpty()) {
                    wrappings.add(KeyWrapping.parse(line));
                }
            } catch (IllegalArgumentException e) {
                throw new DamagedDataException(source, at, String.valueOf(e.getMessage()));
            }
            at += line.length() + 1;
        }
        if (id.isEmpty() || wrappings.isEmpty() || wrappings.size() > MAX_WRAPPINGS) {
            throw new DamagedDataException(source, at, "has " + wrappings.size() + " wrappings");
        }
        return new KeyFile(id.get(), wrappings);
    }

    private static KeyId parseId(String line) {
        if (!line.startsWith(ID_WORD)) {
            throw new IllegalArgumentException("the key's id is missing");
        }
        return KeyId.parseHex(line.substring(ID_WORD.length()));
    }
}
