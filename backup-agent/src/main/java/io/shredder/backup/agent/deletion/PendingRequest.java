// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.deletion;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.Texts;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.chunk.DamagedDataException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A deletion that waits, as the agent keeps it.
 *
 * @param serial of the certificate that asked
 * @param deletion what clients are shown
 */
public record PendingRequest(BigInteger serial, PendingDeletion deletion) {

    private static final int HEX = 16;

    /** One that was withdrawn still counts among what its client asked for, until its time has passed. */
    boolean isWithdrawn() {
        return deletion.snapshots().isEmpty();
    }

    PendingRequest withdrawn() {
        return new PendingRequest(
                serial,
                new PendingDeletion(deletion.id(), deletion.client(), deletion.asked(), deletion.until(), List.of()));
    }

    int encodedBytes() {
        return Texts.encodedBytes(serial.toString(HEX)) + deletion.encodedBytes();
    }

    void write(ByteBuffer target) {
        Texts.write(serial.toString(HEX), target);
        deletion.write(target);
    }

    static PendingRequest read(BodyReader in) throws DamagedDataException {
        String serial = in.text("serial number");
        if (!serial.matches("[0-9a-f]{1,64}")) {
            throw in.damaged("'" + serial + "' is no serial number, before here");
        }
        return new PendingRequest(new BigInteger(serial, HEX), PendingDeletion.read(in));
    }
}
