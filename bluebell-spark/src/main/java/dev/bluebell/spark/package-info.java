/**
 * Apache Spark's shuffle by RDMA READ: {@link dev.bluebell.spark.RdmaShuffleManager}. Users name
 * that class in Spark's configuration; nothing else here is for them.
 */
@NullMarked
package dev.bluebell.spark;

import org.jspecify.annotations.NullMarked;
