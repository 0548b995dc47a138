// SPDX-License-Identifier: Apache-2.0
/**
 * A repository's key as its owner keeps it: {@link io.shredder.backup.seal.keyfile.KeyFile}, {@link
 * io.shredder.backup.seal.keyfile.PaperKey}, and the secrets that wrap it.
 */
@NullMarked
package io.shredder.backup.seal.keyfile;

import org.jspecify.annotations.NullMarked;
