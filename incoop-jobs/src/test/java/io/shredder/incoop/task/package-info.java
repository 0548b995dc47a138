// SPDX-License-Identifier: Apache-2.0
/** Tests of what runs in tasks. */
package io.shredder.incoop.task;
