// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import java.util.Map;
import java.util.TreeMap;

/**
 * One thing that was measured.
 *
 * @param unit what it was measured as a part of: rows of a unit come together or not at all
 * @param part which part of the bench: see {@link Part}
 * @param who whose program
 * @param what the operation, or the limit
 * @param cores that all programs had together
 * @param count images or clients at once
 * @param gbit rate of the link, in 10^9 bits a second; 0 without one
 * @param bytes of the image, of all images, or that all clients put
 * @param seconds by the clock on the wall
 * @param figures all else, by {@link Figure}'s names and, behind {@link #STAGE}, CPU seconds of stages
 * @param limits what limited it, in words; empty if that isn't known
 * @param at commit, day and machine
 */
public record ScaleRow(
        String unit,
        Part part,
        String who,
        String what,
        int cores,
        int count,
        double gbit,
        long bytes,
        double seconds,
        Map<String, Double> figures,
        String limits,
        String at) {
    /** Begins the names of figures that are a stage's CPU seconds. */
    public static final String STAGE = "cpu of ";

    /** Parts of the bench. */
    public enum Part {
        /** Everything that a backup program does, by the number of cores. */
        OPERATIONS,
        /** Several images at once, to one agent. */
        IMAGES,
        /** Several clients at once of one agent. */
        CLIENTS,
        /** The operations over a link of a rate. */
        LINK,
        /** What the machine gives. */
        LIMITS
    }

    /** Names of figures. */
    public enum Figure {
        /** Seconds until a command began with its work. */
        START,
        /** Bytes resident at most, of all processes together. */
        PEAK,
        /** CPU seconds of commands. */
        COMMAND_CPU,
        /** CPU seconds of the agent. */
        AGENT_CPU,
        /** CPU seconds of the relay that holds the link to its rate, for all operations of the unit. */
        RELAY_CPU,
        /** Bytes that the repository takes. */
        REPOSITORY,
        /** Bytes a second of the slowest image or client. */
        WORST,
        /** Bytes a second of the images or clients on the average. */
        MEAN
    }

    public ScaleRow {
        figures = Map.copyOf(figures);
    }

    /** Bytes a second. */
    public double rate() {
        return bytes / seconds;
    }

    /** Bytes a second without the command's start; the same as {@link #rate} where that isn't known. */
    public double rateOfWork() {
        return bytes / Math.max(1e-3, seconds - figure(Figure.START));
    }

    /** 0 if it wasn't measured. */
    public double figure(Figure figure) {
        return figures.getOrDefault(figure.name(), 0.0);
    }

    /** CPU seconds of all for each second. */
    public double coresBusy() {
        return (figure(Figure.COMMAND_CPU) + figure(Figure.AGENT_CPU)) / seconds;
    }

    /** CPU seconds by stage. */
    public Map<String, Double> stages() {
        var stages = new TreeMap<String, Double>();
        figures.forEach((name, seconds) -> {
            if (name.startsWith(STAGE)) {
                stages.put(name.substring(STAGE.length()), seconds);
            }
        });
        return stages;
    }
}
