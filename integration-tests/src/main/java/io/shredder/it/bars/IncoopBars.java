// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.figures.Machine;
import java.io.IOException;

/**
 * Inc-HDFS and incremental MapReduce against plain Hadoop on the same daemons of this machine. All figures are of the
 * clock on the wall: measure on a quiet machine.
 */
final class IncoopBars implements BarSet {
    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        System.out.println(Machine.description());
        new UploadBars(measuring).measure();
        new JobBars(measuring).measure();
        new ProofBars(measuring).measure();
    }
}
