// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;

/** What came of a scan, for people or for programs. */
public interface ScanFindings {

    /** Whether the command failed, though it came to its end. */
    boolean failed();

    /** Prints lines; to {@code err} those about what failed. */
    void print(PrintStream out, PrintStream err);

    /** Adds the same to the document of {@code --json}. */
    void addTo(ObjectNode document);
}
