// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.header.SequenceFileHeader;
import org.jspecify.annotations.Nullable;

/**
 * A SequenceFile, cut before sync marks only: four bytes {@code FF} and the file's 16 byte marker, which stand where a
 * record's length would. A reader that begins at such a place finds its way; one that begins at another record end does
 * not. Marks are found by following the lengths of records, so the same bytes inside a key or a value are none.
 *
 * <p>A length is never negative, so one byte {@code FF} where a length begins is a mark or damage: no need to look
 * ahead.
 */
final class SequenceFileBoundaries extends ParsedBoundaries {

    private static final int ESCAPE = -1;

    /** A compressed block has four buffers: lengths of keys, keys, lengths of values, values. */
    private static final int BUFFERS = 4;

    private enum Field {
        HEADER,
        RECORD_LENGTH,
        MARKER,
        KEY_LENGTH,
        RECORD_COUNT,
        BUFFER_LENGTH
    }

    private final HeaderBytes<SequenceFileHeader> start;
    private final VariableLengthNumber number = new VariableLengthNumber();
    private @Nullable SequenceFileHeader header;
    private Field field = Field.HEADER;
    private int taken;
    private int value;
    private int recordBytes;
    private int buffersLeft;
    private boolean behindMark;

    SequenceFileBoundaries(String file) {
        super(file);
        this.start = new HeaderBytes<>(SequenceFileHeader::parse, file);
    }

    @Override
    boolean endsBefore(byte next) {
        return mayEnd() && next == (byte) 0xFF && !behindMark;
    }

    @Override
    boolean mayEnd() {
        return field == Field.RECORD_LENGTH && taken == 0;
    }

    @Override
    void step(byte b) throws DamagedDataException {
        switch (field) {
            case HEADER -> header(b);
            case MARKER -> marker(b);
            case RECORD_LENGTH, KEY_LENGTH -> fourByteLength(b);
            case RECORD_COUNT, BUFFER_LENGTH -> variableLength(b);
        }
    }

    private void header(byte b) throws DamagedDataException {
        header = start.add(b);
        if (header != null) {
            begin(Field.RECORD_LENGTH);
        }
    }

    private void begin(Field next) {
        field = next;
        taken = 0;
        value = 0;
    }

    private void fourByteLength(byte b) throws DamagedDataException {
        value = value << 8 | (b & 0xFF);
        taken++;
        if (taken < Integer.BYTES) {
            return;
        }
        if (field == Field.KEY_LENGTH) {
            record();
        } else if (value == ESCAPE) {
            if (behindMark) {
                throw damaged(offset() - 3, "two sync marks, one behind the other, at which Hadoop stops reading");
            }
            begin(Field.MARKER);
        } else if (value < 0 || isBlockCompressed()) {
            throw damaged(offset() - 3, "a record of " + value + " bytes where a sync mark or a length must stand");
        } else {
            recordBytes = value;
            begin(Field.KEY_LENGTH);
        }
    }

    private void record() throws DamagedDataException {
        if (value < 0 || value > recordBytes) {
            throw damaged(offset() - 3, "a key of " + value + " bytes in a record of " + recordBytes);
        }
        passOver(recordBytes);
        behindMark = false;
        begin(Field.RECORD_LENGTH);
    }

    private void marker(byte b) throws DamagedDataException {
        if (header == null || b != header.markerByte(taken)) {
            throw damaged(offset(), "byte " + taken + " of a sync marker differs from the header's");
        }
        taken++;
        if (taken < SequenceFileHeader.MARKER_BYTES) {
            return;
        }
        if (isBlockCompressed()) {
            buffersLeft = BUFFERS;
            begin(Field.RECORD_COUNT);
        } else {
            behindMark = true;
            begin(Field.RECORD_LENGTH);
        }
    }

    private void variableLength(byte b) throws DamagedDataException {
        if (!number.add(b)) {
            return;
        }
        long length = number.take();
        if (length < 0 || length > Integer.MAX_VALUE) {
            throw damaged(offset(), "a length of " + length + " ends here in a block");
        }
        if (field == Field.BUFFER_LENGTH) {
            passOver(length);
            buffersLeft--;
        }
        begin(buffersLeft == 0 ? Field.RECORD_LENGTH : Field.BUFFER_LENGTH);
    }

    private boolean isBlockCompressed() {
        return header != null && header.blockCompressed();
    }
}
