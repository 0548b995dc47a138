// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

/** What a job's code was seen doing. */
public enum Sight {
    /** Reads a local file or folder, or asks about one; {@code what} is its path. */
    LOCAL_READ,
    /** Asks whether a local file or folder is there, and which of both it is; {@code what} is its path. */
    LOCAL_LOOK,
    /** Creates, changes or removes a local file. */
    LOCAL_WRITE,
    /** Reads a file or folder of HDFS, or asks about one; {@code what} is its path. */
    HDFS_READ,
    /** Asks HDFS for what a file's or folder's status doesn't tell: attributes, access lists, quotas, policies. */
    HDFS_DETAIL,
    /** Creates, changes or removes something on HDFS. */
    HDFS_WRITE,
    /** Opens a network connection, or asks for an address. */
    NETWORK,
    /** Starts a process. */
    PROCESS,
    /** Loads native code. */
    NATIVE_CODE,
    /** Changes what all of the JVM shares: a system property, the default locale or time zone. */
    JVM_CHANGE,
    /** Makes a member of Hadoop's classes accessible by reflection; {@code what} is the class. */
    HADOOP_INSIDE,
    /** Asks where its split lies in its file. */
    SPLIT,
    /** Asks where it runs or lies: an environment variable, the host's name, a record's offset. */
    PLACE
}
