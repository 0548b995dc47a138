// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import io.shredder.backup.posix.PosixFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A block device, written in place: what was there is gone with the first chunk, and a restore that fails leaves a part
 * of the image. Where the image is zero the device is read first, and written only if it is not zero already, so that
 * thin volumes stay thin. Bytes behind the image's end stay as they are.
 */
public final class DeviceTarget implements RestoreTarget {

    private static final int FORMAT_BITS = 0170000;
    private static final int BLOCK_DEVICE = 0060000;
    private static final int ZERO_BYTES = 1 << 20;

    private final Path device;
    private final ImageFile image;
    private final Closeable claim;
    private final ByteBuffer found = ByteBuffer.allocateDirect(ZERO_BYTES);
    private final ByteBuffer zeros = ImageFile.aligned(ZERO_BYTES);

    private DeviceTarget(Path device, ImageFile image, Closeable claim) {
        this.device = device;
        this.image = image;
        this.claim = claim;
    }

    /** Whether this is a block device, or a link to one. */
    public static boolean isDevice(Path path) throws IOException {
        return Files.exists(path) && ((int) Files.getAttribute(path, "unix:mode") & FORMAT_BITS) == BLOCK_DEVICE;
    }

    /**
     * Opens a device that nobody uses.
     *
     * @param overwrite must be true, since whatever is on it will be gone
     */
    public static DeviceTarget open(Path device, boolean overwrite) throws IOException {
        PosixFile claim = DeviceUse.claim(device);
        try {
            if (!overwrite) {
                throw new IOException("what is on device " + device + " would be lost: say so with --force");
            }
            return new DeviceTarget(device, ImageFile.open(device), claim);
        } catch (IOException | RuntimeException e) {
            claim.close();
            throw e;
        }
    }

    /** The same, whatever it is. */
    static DeviceTarget to(Path device) throws IOException {
        return new DeviceTarget(device, ImageFile.open(device), () -> {});
    }

    @Override
    public void expect(long imageBytes) throws IOException {
        if (image.channel().size() < imageBytes) {
            throw new IOException("device " + device + " has " + image.channel().size() + " bytes, the image has "
                    + imageBytes + ": nothing is written; name a larger one with --to");
        }
    }

    @Override
    public boolean takesAnyOrder() {
        return false;
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
        try {
            image.write(position, bytes);
        } catch (IOException e) {
            throw new IOException(
                    "can't write device " + device + " at " + position + ", which has a part of the image now: "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public void writeZeros(long position, long count) throws IOException {
        for (long done = 0; done < count; ) {
            int length = (int) Math.min(count - done, ZERO_BYTES);
            if (!isZero(position + done, length)) {
                write(position + done, zeros.duplicate().limit(length));
            }
            done += length;
        }
    }

    private boolean isZero(long position, int length) throws IOException {
        found.clear().limit(length);
        while (found.hasRemaining()) {
            if (image.channel().read(found, position + found.position()) < 0) {
                return false;
            }
        }
        return found.flip().equals(zeros.duplicate().limit(length));
    }

    @Override
    public void commit(long imageBytes) throws IOException {
        image.channel().force(true);
    }

    @Override
    public void close() throws IOException {
        try (claim) {
            image.close();
        }
    }
}
