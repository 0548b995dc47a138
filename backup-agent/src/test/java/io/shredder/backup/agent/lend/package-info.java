// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.shredder.backup.agent.lend;

import org.jspecify.annotations.NullMarked;
