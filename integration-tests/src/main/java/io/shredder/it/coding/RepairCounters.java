// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * What a DataNode counts of the repairs that it did.
 *
 * @param tasks units that it was to repair, those that failed included
 * @param failed of them
 * @param bytesRead of other units
 * @param bytesWritten of units that were computed again
 * @param decodingNs by the clock, in the decoder
 */
public record RepairCounters(long tasks, long failed, long bytesRead, long bytesWritten, long decodingNs) {
    static final RepairCounters NONE = new RepairCounters(0, 0, 0, 0, 0);

    /** Where a DataNode's web server has them. */
    static final String QUERY = "/jmx?qry=Hadoop:service=DataNode,name=DataNodeActivity-*";

    /** Reads its answer. */
    static RepairCounters parse(String answer) throws IOException {
        JsonNode beans = new ObjectMapper().readTree(answer).path("beans");
        if (beans.size() != 1) {
            throw new IOException(beans.size() + " beans of a DataNode's activity where one is: " + answer);
        }
        JsonNode bean = beans.get(0);
        return new RepairCounters(
                count(bean, "EcReconstructionTasks"),
                count(bean, "EcFailedReconstructionTasks"),
                count(bean, "EcReconstructionBytesRead"),
                count(bean, "EcReconstructionBytesWritten"),
                count(bean, "EcDecodingTimeNanos"));
    }

    private static long count(JsonNode bean, String name) throws IOException {
        JsonNode count = bean.path(name);
        if (!count.isIntegralNumber()) {
            throw new IOException("a DataNode doesn't count " + name);
        }
        return count.longValue();
    }

    RepairCounters plus(RepairCounters other) {
        return new RepairCounters(
                tasks + other.tasks,
                failed + other.failed,
                bytesRead + other.bytesRead,
                bytesWritten + other.bytesWritten,
                decodingNs + other.decodingNs);
    }

    RepairCounters minus(RepairCounters other) {
        return new RepairCounters(
                tasks - other.tasks,
                failed - other.failed,
                bytesRead - other.bytesRead,
                bytesWritten - other.bytesWritten,
                decodingNs - other.decodingNs);
    }

    /** Nanoseconds in the decoder for a byte that was computed again; NaN if none was. */
    public double nsPerByte() {
        return bytesWritten == 0 ? Double.NaN : (double) decodingNs / bytesWritten;
    }
}
