// SPDX-License-Identifier: Apache-2.0
/**
 * Where images come from: {@link io.shredder.backup.server.source.ImageSource} is the contract that files, block
 * devices, qcow2 images and NBD exports keep; {@link io.shredder.backup.server.source.ImageChunker} cuts any of them
 * without reading or digesting what is zero.
 */
@NullMarked
package io.shredder.backup.server.source;

import org.jspecify.annotations.NullMarked;
