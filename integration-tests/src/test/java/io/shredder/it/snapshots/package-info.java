// SPDX-License-Identifier: Apache-2.0
/** An agent with very many snapshots, tried with a few. */
package io.shredder.it.snapshots;
