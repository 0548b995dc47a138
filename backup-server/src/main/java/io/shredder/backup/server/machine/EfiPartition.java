// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import io.shredder.backup.server.guest.ImageBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Looks for an EFI system partition (UEFI specification 2.10, chapters 5.2.3 and 5.3). It believes no number. */
final class EfiPartition {

    private static final int SECTOR = 512;
    private static final int MOST_ENTRIES = 256;
    private static final int MBR_TABLE = 446;
    private static final int MBR_ENTRY = 16;
    private static final int MBR_ENTRIES = 4;
    private static final byte MBR_EFI = (byte) 0xEF;
    private static final long HEADER_SIGNATURE = 0x5452415020494645L; // "EFI PART"

    /** C12A7328-F81F-11D2-BA4B-00A0C93EC93B, as its bytes lie on a disk. */
    private static final long TYPE_LOW = 0x11D2F81FC12A7328L;

    private static final long TYPE_HIGH = 0x3BC93EC9A0004BBAL;

    private EfiPartition() {}

    static boolean isIn(ImageBytes image) throws IOException {
        if (image.size() < 2 * SECTOR) {
            return false;
        }
        ByteBuffer head = read(image, 0, 2 * SECTOR);
        for (int i = 0; i < MBR_ENTRIES; i++) {
            if (head.get(MBR_TABLE + i * MBR_ENTRY + 4) == MBR_EFI) {
                return true;
            }
        }
        if (head.getLong(SECTOR) != HEADER_SIGNATURE) {
            return false;
        }
        long table = head.getLong(SECTOR + 72);
        int count = Math.min(MOST_ENTRIES, head.getInt(SECTOR + 80));
        int bytes = head.getInt(SECTOR + 84);
        boolean sound = table > 0 && table < image.size() / SECTOR && count > 0 && bytes >= 128 && bytes <= SECTOR;
        if (!sound || table * SECTOR + (long) count * bytes > image.size()) {
            return false;
        }
        ByteBuffer entries = read(image, table * SECTOR, count * bytes);
        for (int at = 0; at < count * bytes; at += bytes) {
            if (entries.getLong(at) == TYPE_LOW && entries.getLong(at + 8) == TYPE_HIGH) {
                return true;
            }
        }
        return false;
    }

    private static ByteBuffer read(ImageBytes image, long offset, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        image.read(offset, buffer);
        return buffer.clear();
    }
}
