// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names that are written once and referred to by number, since thousands of chunks share a few of them. */
public final class NameTable {

    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    /** The number of a name; a new one gets the next, from 0. */
    public int number(String name) {
        Integer known = numbers.putIfAbsent(name, numbers.size());
        return known == null ? numbers.size() - 1 : known;
    }

    public void write(DataOutput out) throws IOException {
        out.writeInt(numbers.size());
        for (String name : numbers.keySet()) {
            out.writeUTF(name);
        }
    }

    public static List<String> read(DataInput in) throws IOException {
        int count = in.readInt();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(in.readUTF());
        }
        return names;
    }

    /** The name that a number stands for. */
    public static String name(List<String> names, int number) throws IOException {
        if (number < 0 || number >= names.size()) {
            throw new IOException("name " + number + " of " + names.size());
        }
        return names.get(number);
    }
}
