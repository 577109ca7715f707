package dev.bluebell.spark;

import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockId$;
import org.apache.spark.storage.ShuffleBlockBatchId;
import org.apache.spark.storage.ShuffleBlockId;
import org.jspecify.annotations.Nullable;

/** A range of the partitions of one map output, which is contiguous in its file. */
record Block(int shuffle, long map, int firstPartition, int endPartition) {

  /** Parses Spark's id of a block; null when it is not part of a map output. */
  static @Nullable Block parse(String id) {
    BlockId parsed = BlockId$.MODULE$.apply(id);
    if (parsed instanceof ShuffleBlockId one) {
      return new Block(one.shuffleId(), one.mapId(), one.reduceId(), one.reduceId() + 1);
    }
    if (parsed instanceof ShuffleBlockBatchId many) {
      return new Block(many.shuffleId(), many.mapId(), many.startReduceId(), many.endReduceId());
    }
    return null;
  }

  /** Spark's id of the block. */
  BlockId id() {
    return new ShuffleBlockBatchId(shuffle, map, firstPartition, endPartition);
  }
}
