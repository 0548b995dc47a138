// SPDX-License-Identifier: Apache-2.0
/** From the upload's cuts to the mapper's records: both halves of every format together. */
package io.shredder.it.formats;
