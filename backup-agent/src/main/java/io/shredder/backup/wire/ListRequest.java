// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;

/** What a client asks about lists that share pages ({@link SnapshotSeal#isShared}). Since version 6. */
public sealed interface ListRequest extends Request {

    /**
     * Which pages does this snapshot's list have? Answer: {@link PageDigests}.
     *
     * @param first page that is asked about; the answer says which comes next
     * @param check whether each page is to be read, and its chunks looked for among those that are known to be damaged
     */
    record ListPages(long snapshotId, int first, boolean check) implements ListRequest {
        @Override
        public FrameType type() {
            return FrameType.LIST_PAGES;
        }

        @Override
        public int bodyBytes() {
            return Long.BYTES + Integer.BYTES + 1;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(snapshotId).putInt(first).put((byte) (check ? 1 : 0));
        }
    }

    /**
     * The open snapshot's list goes on with pages of another snapshot's, which its client may read. Answer:
     * {@link Answer.Done}.
     *
     * @param first of the pages
     * @param count how many, 1 to {@link #MOST_PAGES}
     */
    record Share(long snapshotId, int first, int count) implements ListRequest {

        /** The most pages of one request, so that none takes long. */
        public static final int MOST_PAGES = 1 << 16;

        @Override
        public FrameType type() {
            return FrameType.SHARE;
        }

        @Override
        public int bodyBytes() {
            return Long.BYTES + 2 * Integer.BYTES;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(snapshotId).putInt(first).putInt(count);
        }
    }

    /**
     * A page of this snapshot's list can't be read any more, and this is a copy of it, by its number. Answer:
     * {@link Answer.Done} once it is durable in its place, or was whole all the time.
     */
    record MendPage(long snapshotId, ListPage page) implements ListRequest {
        @Override
        public FrameType type() {
            return FrameType.MEND_PAGE;
        }

        @Override
        public int bodyBytes() {
            return Long.BYTES + page.encodedBytes();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(snapshotId);
            page.write(target);
        }
    }

    /** Reads the body of a request of this type. */
    static Request read(FrameType type, BodyReader in) throws DamagedDataException {
        if (type == FrameType.LIST_PAGES) {
            return new ListPages(
                    in.u63("snapshot id"),
                    in.length("page number", ListPage.MAX_SHARED_PAGES),
                    flag(in, "whether to check"));
        } else if (type == FrameType.SHARE) {
            long snapshot = in.u63("snapshot id");
            int first = in.length("page number", ListPage.MAX_SHARED_PAGES);
            int count = in.length("page count", Share.MOST_PAGES);
            if (count == 0) {
                throw in.damaged("no page is shared");
            }
            return new Share(snapshot, first, count);
        } else if (type == FrameType.MEND_PAGE) {
            long snapshot = in.u63("snapshot id");
            return new MendPage(snapshot, ListPage.read(in));
        }
        return UpkeepRequest.read(type, in);
    }

    private static boolean flag(BodyReader in, String field) throws DamagedDataException {
        int value = in.u8(field);
        if (value > 1) {
            throw in.damaged(field + " is " + value + ", neither 0 nor 1, before here");
        }
        return value == 1;
    }
}
