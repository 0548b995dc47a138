// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The constants of a class file: The Java Virtual Machine Specification, section 4.4. Immutable. */
final class ConstantPool {

    private static final int TEXT = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int STRING = 8;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;

    private final Constant[] constants;

    /** @param first the first number of the entry, such as an index; text has none */
    private record Constant(int tag, @Nullable String text, int first, int second) {}

    private ConstantPool(Constant[] constants) {
        this.constants = constants;
    }

    static ConstantPool read(DataInputStream in) throws IOException {
        int count = in.readUnsignedShort();
        Constant[] constants = new Constant[count];
        for (int i = 1; i < count; i++) {
            constants[i] = readConstant(in);
            if (constants[i].tag() == LONG || constants[i].tag() == DOUBLE) {
                i++; // these count twice
            }
        }
        return new ConstantPool(constants);
    }

    private static Constant readConstant(DataInputStream in) throws IOException {
        int tag = in.readUnsignedByte();
        return switch (tag) {
            case TEXT -> new Constant(tag, in.readUTF(), 0, 0);
            case CLASS, STRING, 16, 19, 20 -> new Constant(tag, null, in.readUnsignedShort(), 0);
            case 15 -> new Constant(tag, null, in.readUnsignedByte(), in.readUnsignedShort());
            case 3, 4, 9, METHOD, INTERFACE_METHOD, NAME_AND_TYPE, 17, 18 ->
                new Constant(tag, null, in.readUnsignedShort(), in.readUnsignedShort());
            case LONG, DOUBLE -> {
                in.skipNBytes(Long.BYTES);
                yield new Constant(tag, null, 0, 0);
            }
            default -> throw new IOException("no class file: it has a constant of kind " + tag);
        };
    }

    private Constant at(int index) throws IOException {
        Constant constant = index > 0 && index < constants.length ? constants[index] : null;
        if (constant == null) {
            throw new IOException("no class file: it has no constant " + index);
        }
        return constant;
    }

    /** A name or descriptor. */
    String text(int index) throws IOException {
        String text = at(index).text();
        if (text == null) {
            throw new IOException("no class file: its constant " + index + " is no text");
        }
        return text;
    }

    /** A string that the code uses; empty if it is another constant. */
    Optional<String> string(int index) throws IOException {
        Constant constant = at(index);
        return constant.tag() == STRING ? Optional.of(text(constant.first())) : Optional.empty();
    }

    /** A method that the code calls, as {@code package/Class.name(descriptor)}; empty if it is another constant. */
    Optional<String> method(int index) throws IOException {
        Constant method = at(index);
        if (method.tag() != METHOD && method.tag() != INTERFACE_METHOD) {
            return Optional.empty();
        }
        Constant name = at(method.second());
        return Optional.of(text(at(method.first()).first()) + "." + text(name.first()) + text(name.second()));
    }
}
