// SPDX-License-Identifier: Apache-2.0
/** Tests of how one chunk is mapped. */
package io.shredder.incoop.task.chunk;
