// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

/** Numbers of the NBD protocol that a server needs, as {@code doc/proto.md} names them. */
final class NbdNumbers {

    static final long MAGIC = 0x4e42444d41474943L;
    static final long OPTION_MAGIC = 0x49484156454F5054L;
    static final long OPTION_REPLY_MAGIC = 0x3e889045565a9L;
    static final int REQUEST_MAGIC = 0x25609513;
    static final int SIMPLE_REPLY_MAGIC = 0x67446698;
    static final int STRUCTURED_REPLY_MAGIC = 0x668e33ef;

    static final int FLAG_FIXED_NEWSTYLE = 1;
    static final int FLAG_NO_ZEROES = 2;

    static final int OPT_EXPORT_NAME = 1;
    static final int OPT_ABORT = 2;
    static final int OPT_LIST = 3;
    static final int OPT_STARTTLS = 5;
    static final int OPT_INFO = 6;
    static final int OPT_GO = 7;
    static final int OPT_STRUCTURED_REPLY = 8;
    static final int OPT_LIST_META_CONTEXT = 9;
    static final int OPT_SET_META_CONTEXT = 10;

    static final int REP_ACK = 1;
    static final int REP_SERVER = 2;
    static final int REP_INFO = 3;
    static final int REP_META_CONTEXT = 4;
    static final int REP_ERR_UNSUP = 0x80000001;
    static final int REP_ERR_POLICY = 0x80000002;
    static final int REP_ERR_INVALID = 0x80000003;
    static final int REP_ERR_TLS_REQD = 0x80000005;
    static final int REP_ERR_UNKNOWN = 0x80000006;
    static final int REP_ERR_TOO_BIG = 0x80000009;

    static final int INFO_EXPORT = 0;
    static final int INFO_NAME = 1;
    static final int INFO_DESCRIPTION = 2;
    static final int INFO_BLOCK_SIZE = 3;

    static final int TRANSMIT_HAS_FLAGS = 1;
    static final int TRANSMIT_READ_ONLY = 1 << 1;
    static final int TRANSMIT_SEND_FLUSH = 1 << 2;
    static final int TRANSMIT_SEND_FUA = 1 << 3;
    static final int TRANSMIT_SEND_TRIM = 1 << 5;
    static final int TRANSMIT_SEND_WRITE_ZEROES = 1 << 6;
    static final int TRANSMIT_SEND_DF = 1 << 7;

    /** What a client may ask for where it may write. */
    static final int TRANSMIT_WRITABLE =
            TRANSMIT_SEND_FLUSH | TRANSMIT_SEND_FUA | TRANSMIT_SEND_TRIM | TRANSMIT_SEND_WRITE_ZEROES;

    static final int TRANSMIT_CAN_MULTI_CONN = 1 << 8;
    static final int TRANSMIT_SEND_CACHE = 1 << 10;

    static final int CMD_READ = 0;
    static final int CMD_WRITE = 1;
    static final int CMD_DISC = 2;
    static final int CMD_FLUSH = 3;
    static final int CMD_TRIM = 4;
    static final int CMD_CACHE = 5;
    static final int CMD_WRITE_ZEROES = 6;
    static final int CMD_BLOCK_STATUS = 7;

    static final int CMD_FLAG_FUA = 1;
    static final int CMD_FLAG_NO_HOLE = 1 << 1;
    static final int CMD_FLAG_DF = 1 << 2;
    static final int CMD_FLAG_REQ_ONE = 1 << 3;

    static final int CHUNK_DONE = 1;
    static final int CHUNK_NONE = 0;
    static final int CHUNK_OFFSET_DATA = 1;
    static final int CHUNK_OFFSET_HOLE = 2;
    static final int CHUNK_BLOCK_STATUS = 5;
    static final int CHUNK_ERROR = 0x8001;
    static final int CHUNK_ERROR_OFFSET = 0x8002;

    static final int STATE_HOLE = 1;
    static final int STATE_ZERO = 2;

    static final int EPERM = 1;
    static final int EIO = 5;
    static final int EINVAL = 22;
    static final int ENOSPC = 28;

    static final String BASE = "base:";
    static final String ALLOCATION = "base:allocation";

    /** The longest string of the negotiation. */
    static final int MAX_STRING_BYTES = 4096;

    /** The longest read or write, and what a client is told. */
    static final int MAX_BLOCK_BYTES = 32 << 20;

    private NbdNumbers() {}
}
