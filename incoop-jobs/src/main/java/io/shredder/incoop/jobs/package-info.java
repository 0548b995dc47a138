// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs to measure with, and to learn from: word count, bigram count, co-occurrence matrix, k-means and k-nearest
 * neighbours, as Incoop (SoCC 2011) and Shredder (FAST 2012, section 6.3) used them. They are ordinary Hadoop jobs that
 * know nothing of reuse and run on a stock Hadoop; {@link io.shredder.incoop.jobs.Jobs} is the program that runs them.
 * Nothing of the product uses this package.
 */
@NullMarked
package io.shredder.incoop.jobs;

import org.jspecify.annotations.NullMarked;
