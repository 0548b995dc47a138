// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.cluster;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * What a cluster has besides and instead of what every cluster has.
 *
 * @param sites settings of daemons and clients, as in core-site.xml, yarn-site.xml and mapred-site.xml
 * @param hdfs settings of daemons and clients, as in hdfs-site.xml
 * @param ofDataNode the same of one DataNode, by its number, which counts from 1
 * @param jvm options of the daemons' JVMs behind those that they have, of which the last counts
 * @param ownClasses whether daemons have the project's classes, too
 */
public record ClusterExtras(
        Map<String, String> sites,
        Map<String, String> hdfs,
        IntFunction<Map<String, String>> ofDataNode,
        List<String> jvm,
        boolean ownClasses) {

    public ClusterExtras {
        sites = Map.copyOf(sites);
        hdfs = Map.copyOf(hdfs);
        jvm = List.copyOf(jvm);
    }

    /** Settings of daemons and clients, and nothing else. */
    public static ClusterExtras of(Map<String, String> sites) {
        return new ClusterExtras(sites, Map.of(), number -> Map.of(), List.of(), false);
    }

    /** The same with options of the daemons' JVMs. */
    public ClusterExtras withJvm(List<String> options) {
        return new ClusterExtras(sites, hdfs, ofDataNode, options, ownClasses);
    }
}
