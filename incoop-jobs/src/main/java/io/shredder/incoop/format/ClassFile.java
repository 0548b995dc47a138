// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * As much of a class file as tells what a class does by itself: its methods and their code (The Java Virtual Machine
 * Specification, chapter 4). Immutable.
 */
final class ClassFile {

    private static final int MAGIC = 0xCAFE_BABE;

    private final ConstantPool constants;
    private final int interfaces;
    private final List<Method> methods;

    /**
     * A method that the class declares.
     *
     * @param code its instructions; none if it is abstract or native
     */
    record Method(String name, String descriptor, List<Byte> code) {

        Method {
            code = List.copyOf(code);
        }
    }

    private ClassFile(ConstantPool constants, int interfaces, List<Method> methods) {
        this.constants = constants;
        this.interfaces = interfaces;
        this.methods = List.copyOf(methods);
    }

    /**
     * Reads a class file.
     *
     * @throws IOException if it is none
     */
    static ClassFile read(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        if (in.readInt() != MAGIC) {
            throw new IOException("no class file");
        }
        in.skipNBytes(2 * Short.BYTES); // version
        ConstantPool constants = ConstantPool.read(in);
        in.skipNBytes(3 * Short.BYTES); // access, name, superclass
        int interfaces = in.readUnsignedShort();
        in.skipNBytes((long) interfaces * Short.BYTES);
        readMembers(in, constants); // fields
        return new ClassFile(constants, interfaces, readMembers(in, constants));
    }

    private static List<Method> readMembers(DataInputStream in, ConstantPool constants) throws IOException {
        List<Method> members = new ArrayList<>();
        int count = in.readUnsignedShort();
        for (int i = 0; i < count; i++) {
            in.skipNBytes(Short.BYTES); // access
            String name = constants.text(in.readUnsignedShort());
            String descriptor = constants.text(in.readUnsignedShort());
            members.add(new Method(name, descriptor, readCode(in, constants)));
        }
        return members;
    }

    private static List<Byte> readCode(DataInputStream in, ConstantPool constants) throws IOException {
        List<Byte> code = new ArrayList<>();
        int attributes = in.readUnsignedShort();
        for (int i = 0; i < attributes; i++) {
            String name = constants.text(in.readUnsignedShort());
            byte[] content = in.readNBytes(in.readInt());
            if (name.equals("Code")) {
                DataInputStream attribute = new DataInputStream(new ByteArrayInputStream(content));
                attribute.skipNBytes(2 * Short.BYTES); // stack and locals
                for (byte one : attribute.readNBytes(attribute.readInt())) {
                    code.add(one);
                }
                if (attribute.readUnsignedShort() != 0) {
                    code.clear(); // it catches something: more than a few calls in a row
                }
            }
        }
        return code;
    }

    ConstantPool constants() {
        return constants;
    }

    /** How many interfaces the class names itself. */
    int interfaces() {
        return interfaces;
    }

    List<Method> methods() {
        return methods;
    }
}
