// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

import io.shredder.chunk.Manifest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Whether a manifest still describes its file: {@code docs/formats/manifest.md}, "Binding", rules 2 to 5. */
public final class BindingRules {

    private BindingRules() {}

    /**
     * The manifest, if it may be used.
     *
     * @throws StaleManifestException if it doesn't describe the file as it is now
     * @throws io.shredder.chunk.DamagedDataException if its bytes break the format, with path and offset
     * @throws IOException if the file system fails
     */
    public static Manifest check(BoundFile file, ManifestFile found) throws IOException, StaleManifestException {
        OptionalLong id = found.fileId();
        if (id.isPresent() && id.getAsLong() != file.fileId()) {
            throw new StaleManifestException(
                    "it belongs to another file id: " + id.getAsLong() + ", the file has " + file.fileId());
        }
        Manifest manifest = found.manifest();
        Optional<String> staleness = staleness(file, found, manifest);
        if (staleness.isPresent()) {
            throw new StaleManifestException(staleness.get());
        }
        return manifest;
    }

    /** Which rule is broken, as a clause. */
    private static Optional<String> staleness(BoundFile file, ManifestFile found, Manifest manifest)
            throws IOException {
        if (manifest.length() != file.lengthBytes()) {
            return Optional.of("the file's length has changed: it describes " + manifest.length()
                    + " bytes, the file has " + file.lengthBytes());
        }
        return staleBlocks(file, found, manifest);
    }

    /** Rules 4 and 5. Where there is one segment, the attribute alone says which blocks the file has. */
    private static Optional<String> staleBlocks(BoundFile file, ManifestFile found, Manifest manifest)
            throws IOException {
        List<Long> lengths = file.blockLengths();
        List<Long> expected = BlockLayout.expected(manifest, file.preferredBlockBytes());
        boolean ordinary = lengths.equals(expected);
        if (!ordinary && manifest.segmentLengths().size() > 1) {
            return blocksDiffer(expected, lengths);
        }
        try {
            Optional<byte[]> binding = file.attribute(ManifestBinding.XATTR);
            if (binding.isPresent() && Arrays.equals(binding.get(), bindingOf(file, found))) {
                return Optional.empty();
            }
            return ordinary ? Optional.of(unbound(binding.isPresent())) : blocksDiffer(expected, lengths);
        } catch (IOException e) {
            if (!ManifestAttributes.switchedOff(e)) {
                throw e;
            }
            return ordinary ? Optional.empty() : blocksDiffer(expected, lengths);
        }
    }

    private static String unbound(boolean hasAttribute) {
        return hasAttribute
                ? "the file's blocks or its attribute " + ManifestBinding.XATTR + " have changed"
                : "the file has no attribute " + ManifestBinding.XATTR + ", so what was done to it might go unnoticed";
    }

    private static Optional<String> blocksDiffer(List<Long> expected, List<Long> lengths) {
        return Optional.of("the blocks differ: it describes " + expected.size() + ", the file has " + lengths.size()
                + " or others");
    }

    private static byte[] bindingOf(BoundFile file, ManifestFile found) throws IOException {
        return ManifestBinding.of(found.bytes(), file.blockDigest()).encode();
    }
}
