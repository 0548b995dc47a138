// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import java.io.IOException;

/**
 * The engine at the limit of the hardware: every figure beside a limit or a peer of the same run. Figures of one core
 * are of the thread's CPU time, all others of the clock on the wall: measure those on a quiet machine.
 */
final class EngineBars implements BarSet {
    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        System.out.println(Machine.description());
        new CoreBars(measuring).measure();
        new StreamBars(measuring).measure();
        if (measuring.gpu()) {
            new GpuBars(measuring).measure();
        } else {
            GpuBars.NAMES.forEach(name -> measuring.record(Bar.notRun(name, "needs --gpu")));
        }
    }
}
