// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

/** Marks a class loader whose classes are a job's code: what they do goes to its observer. */
public interface JobClassLoader {

    /** Who is told. */
    Observer observer();
}
