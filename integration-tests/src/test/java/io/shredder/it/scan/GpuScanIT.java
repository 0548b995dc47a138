// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.engine.Backend;
import io.shredder.engine.Shredder;
import io.shredder.it.cluster.HadoopCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code -gpus} on a cluster whose NodeManager announces two by Hadoop's own plugin, whether they are there or not. */
class GpuScanIT {
    private static final String GPU = ResourceInformation.GPU_URI;

    /** Given by hand, so that the plugin doesn't ask nvidia-smi. */
    private static final String TWO_GPUS = "0:0,1:1";

    @TempDir
    private Path folder;

    private HadoopCluster cluster() throws Exception {
        Map<String, String> settings = new HashMap<>(ScanRun.SHORT_JOBS);
        settings.put("yarn.resource-types", GPU);
        settings.put("yarn.nodemanager.resource-plugins", GPU);
        settings.put("yarn.nodemanager.resource-plugins.gpu.allowed-gpu-devices", TWO_GPUS);
        // As Hadoop has it by default: application masters know of resource types by the configuration of their node.
        settings.put("yarn.application.classpath", "$HADOOP_CONF_DIR");
        settings.put(
                "yarn.scheduler.capacity.resource-calculator",
                "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
        return HadoopCluster.started(folder.resolve("cluster"), HadoopCluster.Shape.ONE_DATA_NODE_AND_YARN, settings);
    }

    @InTurn(days = 3)
    @Test
    void mapsGetContainersWithGpusOrAreRefusedAndFailIfTheEngineFindsNone() throws Exception {
        try (HadoopCluster cluster = cluster();
                FileSystem fs = FileSystem.newInstance(cluster.clientConfiguration())) {
            try (var out = fs.create(new org.apache.hadoop.fs.Path("/data/a"), (short) 1)) {
                out.write("some line\n".repeat(100_000).getBytes(StandardCharsets.US_ASCII));
            }
            // As on a machine that nobody told of the cluster's resource types.
            Configuration client = cluster.clientConfiguration();
            client.unset("yarn.resource-types");
            client.setInt("mapreduce.map.maxattempts", 1);

            ScanRun refused = ScanRun.of(client, "-gpus", "3", "/data");
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err())
                    .startsWith("scan: -gpus 3: no node of this cluster has more than 2; ask for fewer");
            assertThat(refused.out()).isEmpty();

            scanWithTwo(client);
        }
    }

    private static void scanWithTwo(Configuration client) throws Exception {
        ExecutorService beside = Executors.newSingleThreadExecutor();
        try (YarnClient yarn = YarnClient.createYarnClient()) {
            yarn.init(client);
            yarn.start();
            CompletableFuture<ScanRun> run = CompletableFuture.supplyAsync(() -> scan(client), beside);
            long most = 0;
            while (!run.isDone()) {
                most = Math.max(most, used(yarn));
                Thread.sleep(50);
            }
            ScanRun ended = run.get();
            assertThat(most)
                    .as("GPUs that the ResourceManager gave; " + ended.err())
                    .isEqualTo(2);
            if (hasGpu()) {
                assertThat(ended.exitCode()).as(ended.err()).isZero();
            } else {
                assertThat(ended.exitCode()).isEqualTo(1);
                assertThat(ended.err())
                        .contains("scan: the job failed: YARN gave this task 2 GPUs, and the engine finds none in its"
                                + " container: ");
            }
        } finally {
            beside.shutdownNow();
        }
    }

    private static ScanRun scan(Configuration client) {
        try {
            return ScanRun.of(client, "-gpus", "2", "/data");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean hasGpu() throws Exception {
        return Shredder.backends().stream()
                .anyMatch(status -> status.name().equals(Backend.CUDA.optionName()) && status.available());
    }

    private static long used(YarnClient yarn) throws Exception {
        return yarn.getApplications(EnumSet.of(YarnApplicationState.RUNNING)).stream()
                .map(ApplicationReport::getApplicationResourceUsageReport)
                .mapToLong(usage -> gpus(usage.getUsedResources()))
                .sum();
    }

    private static long gpus(Resource resource) {
        return Arrays.stream(resource.getResources())
                .filter(part -> part.getName().equals(GPU))
                .mapToLong(ResourceInformation::getValue)
                .sum();
    }
}
