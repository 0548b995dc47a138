// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads code that only loads its arguments and strings, calls methods and returns, one word an instruction:
 * {@code load 0}, {@code string TEXT}, {@code call CLASS.METHOD}, {@code super CLASS.METHOD}, {@code return}. Such code
 * does the same each time.
 */
final class StraightCode {

    private static final int LDC = 0x12;
    private static final int LDC_W = 0x13;
    private static final int ALOAD_0 = 0x2A;
    private static final int ALOAD_3 = 0x2D;
    private static final int ARETURN = 0xB0;
    private static final int RETURN = 0xB1;
    private static final int INVOKEVIRTUAL = 0xB6;
    private static final int INVOKESPECIAL = 0xB7;
    private static final int INVOKEINTERFACE = 0xB9;

    private final List<Byte> code;
    private final ConstantPool constants;
    private int at;

    private StraightCode(List<Byte> code, ConstantPool constants) {
        this.code = code;
        this.constants = constants;
    }

    /** The words of a method's code; empty if it holds any other instruction, or none. */
    static Optional<List<String>> words(ClassFile.Method method, ConstantPool constants) throws IOException {
        StraightCode reader = new StraightCode(method.code(), constants);
        List<String> words = new ArrayList<>();
        while (reader.at < method.code().size()) {
            Optional<String> word = reader.next();
            if (word.isEmpty()) {
                return Optional.empty();
            }
            words.add(word.get());
        }
        return words.isEmpty() ? Optional.empty() : Optional.of(words);
    }

    private Optional<String> next() throws IOException {
        int instruction = readByte();
        if (instruction >= ALOAD_0 && instruction <= ALOAD_3) {
            return Optional.of("load " + (instruction - ALOAD_0));
        }
        return switch (instruction) {
            case LDC -> constants.string(readByte()).map("string "::concat);
            case LDC_W -> constants.string(readShort()).map("string "::concat);
            case INVOKEVIRTUAL -> constants.method(readShort()).map("call "::concat);
            case INVOKESPECIAL -> constants.method(readShort()).map("super "::concat);
            case INVOKEINTERFACE -> {
                Optional<String> method = constants.method(readShort());
                readShort(); // count of arguments, and zero
                yield method.map("call "::concat);
            }
            case ARETURN, RETURN -> Optional.of("return");
            default -> Optional.empty();
        };
    }

    private int readShort() throws IOException {
        return readByte() << Byte.SIZE | readByte();
    }

    private int readByte() throws IOException {
        if (at >= code.size()) {
            throw new IOException("no class file: code ends within an instruction");
        }
        return code.get(at++) & 0xFF;
    }
}
