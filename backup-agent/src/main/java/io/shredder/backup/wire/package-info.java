// SPDX-License-Identifier: Apache-2.0
/**
 * What the two sites say to each other, byte by byte: {@code docs/formats/wire.md}. {@link
 * io.shredder.backup.wire.Request} and {@link io.shredder.backup.wire.Answer} hold every message, {@link
 * io.shredder.backup.wire.Frame} what surrounds one, {@link io.shredder.backup.wire.TlsFiles} who may talk at all.
 *
 * <p>Values and codecs only: no thread, no socket, no file but certificates.
 */
@NullMarked
package io.shredder.backup.wire;

import org.jspecify.annotations.NullMarked;
