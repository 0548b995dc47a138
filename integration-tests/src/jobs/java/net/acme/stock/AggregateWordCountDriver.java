// SPDX-License-Identifier: Apache-2.0
package net.acme.stock;

import org.apache.hadoop.examples.AggregateWordCount;
import org.apache.hadoop.mapreduce.lib.aggregate.ValueAggregatorDescriptor;

/** The stock count of words by the aggregate framework. */
public final class AggregateWordCountDriver extends AggregateDriver {
    @Override
    Class<? extends ValueAggregatorDescriptor> descriptor() {
        return AggregateWordCount.WordCountPlugInClass.class;
    }
}
