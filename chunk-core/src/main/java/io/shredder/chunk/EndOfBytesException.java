// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

/** Bytes that end inside a field: damage, unless it is known that there are more. */
public final class EndOfBytesException extends DamagedDataException {

    private static final long serialVersionUID = 1L;

    private final long fieldOffset;
    private final int fieldBytes;

    EndOfBytesException(String source, long fieldOffset, int bytesThere, String field, int fieldBytes) {
        super(source, fieldOffset + bytesThere, "ends inside " + field);
        this.fieldOffset = fieldOffset;
        this.fieldBytes = fieldBytes;
    }

    /** Where in {@link #source()} the field begins, in bytes. */
    public long fieldOffset() {
        return fieldOffset;
    }

    /** How long the field is. */
    public int fieldBytes() {
        return fieldBytes;
    }
}
