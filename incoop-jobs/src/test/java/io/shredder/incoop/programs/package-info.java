// SPDX-License-Identifier: Apache-2.0
/** Tests of how programs are watched. */
package io.shredder.incoop.programs;
