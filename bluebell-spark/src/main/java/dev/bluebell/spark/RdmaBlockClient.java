package dev.bluebell.spark;

import com.codahale.metrics.MetricSet;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.shuffle.checksum.Cause;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches blocks by RDMA READ for Spark's own reader. Blocks that RDMA cannot fetch, or fails to
 * fetch, are fetched by Spark's own transfer. That transfer also decides whether a block is lost,
 * because it knows best which executors are dead, and reports failures as Spark expects.
 */
final class RdmaBlockClient extends BlockStoreClient {
  private static final Logger LOG = LoggerFactory.getLogger("dev.bluebell.spark");

  private final ShuffleNode node;
  private final BlockStoreClient spark;
  private final Map<Peer.Name, Peer> peers = new ConcurrentHashMap<>();

  RdmaBlockClient(ShuffleNode node, BlockStoreClient spark) {
    this.node = node;
    this.spark = spark;
  }

  @Override
  public void fetchBlocks(
      String host,
      int port,
      String execId,
      String[] blockIds,
      BlockFetchingListener listener,
      @Nullable DownloadFileManager files) {
    Peer.Name name = new Peer.Name(host, port, execId);
    List<Fetch> fetches = files == null ? fetches(blockIds, listener) : List.of();
    if (fetches.isEmpty()) {
      // Blocks that are too large for memory, and those that are not part of a map output.
      fallBack(name, blockIds, listener, files, "Spark wants them in files, or they are merged");
      return;
    }
    if (node.isLost()) {
      fallBack(name, blockIds, listener, null, "the device of this executor is lost");
      return;
    }
    Peer peer =
        peers.computeIfAbsent(
            name,
            key -> new Peer(node, key, spark, (fetch, left) -> fallBackLater(key, fetch, left)));
    fetches.forEach(fetch -> start(name, peer, fetch));
  }

  private void start(Peer.Name name, Peer peer, Fetch fetch) {
    CompletableFuture<?> unused =
        inTime(peer.connection())
            .whenComplete(
                (connection, failure) -> {
                  if (failure instanceof TimeoutException) {
                    node.probe();
                  }
                  if (connection == null || !connection.start(fetch)) {
                    fallBackLater(name, fetch, fetch.unread());
                  }
                });
  }

  /** A connection may take for ever if the device of this executor does not answer. */
  private CompletableFuture<@Nullable PeerConnection> inTime(
      CompletableFuture<@Nullable PeerConnection> connection) {
    Duration timeout = node.settings().timeout();
    return timeout.isPositive()
        ? connection.copy().orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
        : connection;
  }

  /** The blocks in groups that fit in a message; empty when one of them is of another kind. */
  private static List<Fetch> fetches(String[] ids, BlockFetchingListener listener) {
    List<Block> blocks = new ArrayList<>(ids.length);
    for (String id : ids) {
      Block block = Block.parse(id);
      if (block == null) {
        return List.of();
      }
      blocks.add(block);
    }
    List<Fetch> fetches = new ArrayList<>();
    for (int from = 0; from < ids.length; from += Messages.MAX_BLOCKS) {
      int to = Math.min(ids.length, from + Messages.MAX_BLOCKS);
      fetches.add(
          new Fetch(Arrays.asList(ids).subList(from, to), blocks.subList(from, to), listener));
    }
    return fetches;
  }

  /**
   * On another thread: Spark's transfer may wait for a lost peer, and the caller serves other
   * peers.
   */
  private void fallBackLater(Peer.Name name, Fetch fetch, String[] left) {
    if (left.length > 0) {
      node.execute(() -> fallBack(name, left, fetch.listener(), null, "RDMA failed"));
    }
  }

  private void fallBack(
      Peer.Name name,
      String[] ids,
      BlockFetchingListener listener,
      @Nullable DownloadFileManager files,
      String why) {
    LOG.debug("Spark's own transfer fetches {} blocks of {}: {}", ids.length, name, why);
    node.counters().fellBack(ids.length);
    FallbackEvent.record(name.toString(), ids.length, why);
    spark.fetchBlocks(name.host(), name.port(), name.executor(), ids, listener, files);
  }

  @Override
  public Cause diagnoseCorruption(
      String host,
      int port,
      String execId,
      int shuffleId,
      long mapId,
      int reduceId,
      long checksum,
      String algorithm) {
    return spark.diagnoseCorruption(
        host, port, execId, shuffleId, mapId, reduceId, checksum, algorithm);
  }

  @Override
  public MetricSet shuffleMetrics() {
    return spark.shuffleMetrics();
  }

  @Override
  public void getHostLocalDirs(
      String host,
      int port,
      String[] execIds,
      CompletableFuture<Map<String, String[]>> directories) {
    spark.getHostLocalDirs(host, port, execIds, directories);
  }

  @Override
  public void close() throws IOException {
    // Spark closes its own client, and the manager the node.
  }
}
