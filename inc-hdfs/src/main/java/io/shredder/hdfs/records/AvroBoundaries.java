// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.header.AvroHeader;
import org.jspecify.annotations.Nullable;

/**
 * An Avro container file, cut between blocks only: number of objects, length, that many bytes, the file's 16 byte
 * marker. Blocks are found by their lengths; a marker's bytes within a block are none.
 */
final class AvroBoundaries extends ParsedBoundaries {

    private static final int LONGEST_NUMBER_BYTES = 10;

    private enum Field {
        HEADER,
        COUNT,
        LENGTH,
        MARKER
    }

    private final HeaderBytes<AvroHeader> start;
    private @Nullable AvroHeader header;
    private Field field = Field.HEADER;
    private int taken;
    private long value;

    AvroBoundaries(String file) {
        super(file);
        this.start = new HeaderBytes<>(AvroHeader::parse, file);
    }

    @Override
    boolean endsBefore(byte next) {
        return mayEnd();
    }

    @Override
    boolean mayEnd() {
        return field == Field.COUNT && taken == 0;
    }

    @Override
    void step(byte b) throws DamagedDataException {
        switch (field) {
            case HEADER -> header(b);
            case COUNT, LENGTH -> number(b);
            case MARKER -> marker(b);
        }
    }

    private void header(byte b) throws DamagedDataException {
        header = start.add(b);
        if (header != null) {
            begin(Field.COUNT);
        }
    }

    private void begin(Field next) {
        field = next;
        taken = 0;
        value = 0;
    }

    private void number(byte b) throws DamagedDataException {
        value |= (b & 0x7FL) << (7 * taken);
        taken++;
        if (b < 0) {
            if (taken == LONGEST_NUMBER_BYTES) {
                throw damaged(offset(), "a number of more than 10 bytes in a block's head");
            }
            return;
        }
        long number = value >>> 1 ^ -(value & 1);
        if (number < 0 || (field == Field.LENGTH && number > Integer.MAX_VALUE)) {
            throw damaged(offset(), "a block of " + number + (field == Field.COUNT ? " objects" : " bytes"));
        }
        if (field == Field.COUNT) {
            begin(Field.LENGTH);
        } else {
            passOver(number);
            begin(Field.MARKER);
        }
    }

    private void marker(byte b) throws DamagedDataException {
        if (header == null || b != header.markerByte(taken)) {
            throw damaged(offset(), "byte " + taken + " of the marker behind a block differs from the header's");
        }
        taken++;
        if (taken == AvroHeader.MARKER_BYTES) {
            begin(Field.COUNT);
        }
    }
}
