// SPDX-License-Identifier: Apache-2.0
/** Tests of file headers. */
package io.shredder.chunk.header;
