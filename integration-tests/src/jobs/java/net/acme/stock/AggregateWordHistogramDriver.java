// SPDX-License-Identifier: Apache-2.0
package net.acme.stock;

import org.apache.hadoop.examples.AggregateWordHistogram;
import org.apache.hadoop.mapreduce.lib.aggregate.ValueAggregatorDescriptor;

/** The stock histogram of words by the aggregate framework. */
public final class AggregateWordHistogramDriver extends AggregateDriver {
    @Override
    Class<? extends ValueAggregatorDescriptor> descriptor() {
        return AggregateWordHistogram.AggregateWordHistogramPlugin.class;
    }
}
