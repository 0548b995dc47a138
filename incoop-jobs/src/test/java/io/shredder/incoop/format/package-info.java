// SPDX-License-Identifier: Apache-2.0
/** Tests of chunk readers against Hadoop's own record readers. */
package io.shredder.incoop.format;
