/**
 * Apache Spark's shuffle by RDMA READ: {@link dev.bluebell.spark.RdmaShuffleManager}. Users name
 * that class in Spark's configuration; everything else here is internal.
 */
@NullMarked
package dev.bluebell.spark;

import org.jspecify.annotations.NullMarked;
