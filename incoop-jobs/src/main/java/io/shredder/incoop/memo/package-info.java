// SPDX-License-Identifier: Apache-2.0
/**
 * What maps have computed before: memo files, each with the sorted, partitioned, combined map output of many chunks
 * ({@code docs/formats/memo.md}). Begin with {@link io.shredder.incoop.memo.MemoStore}, the folder that holds them;
 * {@link io.shredder.incoop.memo.MemoWriter} publishes a file whole or not at all;
 * {@link io.shredder.incoop.memo.MemoReader} checks every byte that it hands out.
 */
@NullMarked
package io.shredder.incoop.memo;

import org.jspecify.annotations.NullMarked;
