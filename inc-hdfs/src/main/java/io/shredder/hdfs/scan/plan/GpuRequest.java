// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import io.shredder.engine.Backend;
import io.shredder.engine.ShredderOptions.Devices;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * GPUs that YARN gives to each map task of a job, as its resource {@code yarn.io/gpu} (YARN-6927). Maps then compute on
 * CUDA devices or fail; reduces have no GPU and compute on CPUs.
 */
public final class GpuRequest {

    private static final String GPUS_KEY = "inc-hdfs.scan.gpus";
    private static final String REMEDY = "; ask for fewer, or leave -gpus out to compute on CPUs";

    private GpuRequest() {}

    /**
     * Has each map task of a job ask for GPUs, once the cluster is known to have them.
     *
     * @param gpus of a task, at least 1
     * @param conf gets the request
     * @throws IllegalArgumentException if tasks are to compute on something else, or in this process
     * @throws IOException if the cluster knows no GPUs, or no container can have so many
     */
    public static void make(int gpus, ScanSettings settings, Configuration conf) throws IOException {
        if (!settings.backend().equals(Devices.AUTO) && !hasCuda(settings.backend())) {
            throw new IllegalArgumentException(
                    "-gpus " + gpus + " is for a backend with cuda in it: leave one of -gpus and -backend out");
        }
        if (JobJars.staysInProcess(conf)) {
            throw new IllegalArgumentException(
                    "-gpus " + gpus
                            + " asks YARN, but mapreduce.framework.name is local: -backend cuda takes the GPUs of this machine");
        }
        requireInCluster(gpus, conf);
        conf.setInt(GPUS_KEY, gpus);
        conf.setInt(MRJobConfig.MAP_RESOURCE_TYPE_PREFIX + ResourceInformation.GPU_URI, gpus);
    }

    private static boolean hasCuda(Devices devices) {
        return devices.backend() == Backend.CUDA
                || Arrays.stream(devices.pool().split(",", -1)).anyMatch(device -> device.startsWith("cuda"));
    }

    private static void requireInCluster(int gpus, Configuration conf) throws IOException {
        Configuration own = new YarnConfiguration(conf);
        own.setBoolean(YarnConfiguration.YARN_CLIENT_LOAD_RESOURCETYPES_FROM_SERVER, true);
        try (YarnClient yarn = YarnClient.createYarnClient()) {
            yarn.init(own);
            yarn.start();
            if (yarn.getResourceTypeInfo().stream()
                    .noneMatch(type -> type.getName().equals(ResourceInformation.GPU_URI))) {
                throw new IOException("-gpus " + gpus + ": this cluster's resource types have no "
                        + ResourceInformation.GPU_URI + ": an administrator names it in resource-types.xml; "
                        + "leave -gpus out to compute on CPUs");
            }
            long most = yarn.getNodeReports(NodeState.RUNNING).stream()
                    .map(NodeReport::getCapability)
                    .mapToLong(GpuRequest::gpusOf)
                    .max()
                    .orElse(0);
            if (gpus > most) {
                throw new IOException("-gpus " + gpus + ": no node of this cluster has more than " + most + REMEDY);
            }
            long allowed =
                    gpusOf(yarn.createApplication().getNewApplicationResponse().getMaximumResourceCapability());
            if (gpus > allowed) {
                throw new IOException("-gpus " + gpus + ": this cluster gives a container " + allowed
                        + " at most (resource-types." + ResourceInformation.GPU_URI + ".maximum-allocation)" + REMEDY);
            }
        } catch (YarnException e) {
            throw new IOException(
                    "-gpus " + gpus + ": the ResourceManager didn't say what it has: " + LastAttempt.reason(e), e);
        }
    }

    private static long gpusOf(Resource resource) {
        return Arrays.stream(resource.getResources())
                .filter(part -> part.getName().equals(ResourceInformation.GPU_URI))
                .mapToLong(ResourceInformation::getValue)
                .sum();
    }

    /** How many each map has; 0 if none were asked for. */
    public static int of(Configuration conf) {
        return conf.getInt(GPUS_KEY, 0);
    }

    /** What maps compute on: all CUDA devices that their containers may see, unless the backend says more. */
    public static Devices ofMaps(ScanSettings settings, Configuration conf) {
        boolean chosen = of(conf) > 0 && settings.backend().equals(Devices.AUTO);
        return chosen ? new Devices(Backend.CUDA, "") : settings.backend();
    }

    /** What reduces compute on. */
    public static Devices ofReduces(ScanSettings settings, Configuration conf) {
        return of(conf) > 0 ? new Devices(Backend.CPU, "") : settings.backend();
    }
}
