// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What scans and digests. All give exactly the same chunks. */
public enum Backend {
    /** CUDA if there is a device, else the best CPU form; {@code SHREDDER_BACKEND} in the environment overrides. */
    AUTO(0),
    /** The best CPU form. */
    CPU(1),
    /** The readable reference. */
    SCALAR(2),
    /** The vector form for any x86-64 of the last ten years. */
    AVX2(3),
    /** The widest form, for CPUs with AVX-512 VBMI and GFNI. */
    AVX512(5),
    /** NVIDIA GPUs. */
    CUDA(4);

    private final int code;

    Backend(int code) {
        this.code = code;
    }

    /** The value of {@code shredder_backend} in {@code shredder.h}. */
    int code() {
        return code;
    }

    /** The name that options and {@code SHREDDER_BACKEND} use. */
    public String optionName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The backend of that {@link #optionName}.
     *
     * @throws InvalidOptionException if there is none
     */
    public static Backend parse(String name) {
        for (Backend backend : values()) {
            if (backend.optionName().equals(name)) {
                return backend;
            }
        }
        String names = Arrays.stream(values()).map(Backend::optionName).collect(Collectors.joining(", "));
        throw new InvalidOptionException("unknown backend '" + name + "': use one of " + names);
    }
}
