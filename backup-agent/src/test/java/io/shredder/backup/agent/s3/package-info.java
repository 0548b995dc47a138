// SPDX-License-Identifier: Apache-2.0
/** Stores in object stores, on a real one that tools/s3-server.sh builds. */
package io.shredder.backup.agent.s3;
