package dev.bluebell.spark;

import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.util.collection.OpenHashSet;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Spark's own resolver, extended to return the executor's endpoint and to deregister removed files.
 */
final class RdmaBlockResolver extends IndexShuffleBlockResolver {
  private final Supplier<@Nullable ShuffleNode> opened;
  private final Supplier<@Nullable ShuffleNode> node;

  /**
   * @param opened returns the node if it is open
   * @param node returns the node, and opens it if necessary; null when the executor has none
   */
  RdmaBlockResolver(
      SparkConf conf,
      ConcurrentMap<Object, OpenHashSet<Object>> mapIds,
      Supplier<@Nullable ShuffleNode> opened,
      Supplier<@Nullable ShuffleNode> node) {
    super(conf, noBlockManager(), mapIds);
    this.opened = opened;
    this.node = node;
  }

  /** Without a block manager, the resolver asks Spark's environment, as in Spark's own manager. */
  @SuppressWarnings("NullAway") // A parameter of Scala.
  private static BlockManager noBlockManager() {
    return null;
  }

  @Override
  public ManagedBuffer getBlockData(BlockId id, Option<String[]> directories) {
    if (id.equals(Endpoint.BLOCK)) {
      ShuffleNode ours = node.get();
      Endpoint endpoint = ours == null ? Endpoint.NONE : ours.endpoint();
      return new NioManagedBuffer(endpoint.bytes());
    }
    return super.getBlockData(id, directories);
  }

  @Override
  public void removeDataByMap(int shuffleId, long mapId) {
    try {
      super.removeDataByMap(shuffleId, mapId);
    } finally {
      // Afterwards, because a late request may register the file for as long as it exists.
      ShuffleNode ours = opened.get();
      if (ours != null) {
        ours.files().forget(getDataFile(shuffleId, mapId));
      }
    }
  }
}
