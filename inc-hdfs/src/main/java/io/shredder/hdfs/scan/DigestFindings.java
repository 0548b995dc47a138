// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.hdfs.scan.digests.ListingTarget.Published;
import io.shredder.hdfs.scan.plan.ScanFindings;
import java.io.PrintStream;
import java.util.Locale;

/**
 * What became of files whose digests were listed.
 *
 * @param listing has all that did not fail
 */
record DigestFindings(CutFindings cut, Published listing) implements ScanFindings {

    @Override
    public boolean failed() {
        return cut.failed();
    }

    @Override
    public void print(PrintStream out, PrintStream err) {
        cut.print(out, err);
        out.printf(
                Locale.ROOT, "%s: listing of %,d files, %,d bytes%n", listing.path(), listing.files(), listing.bytes());
    }

    @Override
    public void addTo(ObjectNode document) {
        cut.addTo(document);
        document.putObject("listing")
                .put("path", listing.path().toString())
                .put("files", listing.files())
                .put("bytes", listing.bytes());
    }
}
