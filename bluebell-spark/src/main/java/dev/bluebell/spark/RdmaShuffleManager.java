package dev.bluebell.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;

/**
 * Spark's sort shuffle, in which reduce tasks read blocks by RDMA. Writers, files and the reader's
 * iterator are Spark's own. Set {@code spark.shuffle.manager} to the name of this class.
 */
public final class RdmaShuffleManager extends SortShuffleManager {
  private static final Logger LOG = LoggerFactory.getLogger("dev.bluebell.spark");

  /**
   * Number of lost devices after which an executor opens no more: each keeps its memory until the
   * executor ends.
   */
  private static final int MAX_LOST = 8;

  private final Settings settings;
  private final @Nullable String refusal;
  private final RdmaBlockResolver resolver;
  private final ShuffleCounters counters = new ShuffleCounters();
  private final Pause pause;

  /** Nodes whose device was lost; tasks may still hold their blocks. */
  private final List<ShuffleNode> lost = new ArrayList<>();

  private boolean isStopped;
  private @Nullable ShuffleNode node;
  private @Nullable RdmaBlockClient client;

  public RdmaShuffleManager(SparkConf conf) {
    super(conf);
    settings = Settings.of(conf);
    pause = new Pause(settings.retryInterval());
    refusal = refusal(conf);
    if (refusal != null) {
      LOG.warn("Spark's own transfer fetches all shuffle blocks: {}", refusal);
    }
    resolver =
        new RdmaBlockResolver(
            conf, super.shuffleBlockResolver().taskIdMapsForShuffle(), this::opened, this::node);
  }

  /** Why RDMA must not be used at all; null when it may. */
  private static @Nullable String refusal(SparkConf conf) {
    if (conf.getBoolean("spark.shuffle.service.enabled", false)) {
      return "an external shuffle service serves them (spark.shuffle.service.enabled)";
    }
    for (String key :
        new String[] {
          "spark.network.crypto.enabled",
          "spark.authenticate.enableSaslEncryption",
          "spark.ssl.rpc.enabled",
          "spark.io.encryption.enabled"
        }) {
      if (conf.getBoolean(key, false)) {
        return "encryption is enabled (%s)".formatted(key);
      }
    }
    return null;
  }

  private synchronized @Nullable ShuffleNode opened() {
    return node;
  }

  /**
   * The device of this executor. The first call opens it, and a later call reopens it after it was
   * lost, at most once per retry interval; null when it cannot be used.
   */
  private synchronized @Nullable ShuffleNode node() {
    if (node != null && node.isLost() && lost.size() + 1 < MAX_LOST) {
      if (pause.isRunning()) {
        return node;
      }
      lost.add(node);
      node = null;
    }
    if (node == null && refusal == null && !isStopped && pause.beginUnlessRunning()) {
      SparkEnv env = SparkEnv.get();
      try {
        ShuffleNode opened =
            ShuffleNode.open(
                settings, env.blockManager().blockManagerId().host(), counters, this::segment);
        node = opened;
        client = new RdmaBlockClient(opened, env.blockManager().blockStoreClient());
        if (lost.isEmpty()) {
          env.metricsSystem().registerSource(counters);
        }
      } catch (IOException | RuntimeException e) {
        // Whatever is wrong with the device: the task can do without it.
        LOG.warn(
            "Spark's own transfer fetches the shuffle blocks of this executor: device {} can't be"
                + " used: {}",
            settings.device(),
            e.getMessage());
      }
    }
    return node;
  }

  private FileSegmentManagedBuffer segment(Block block) {
    if (resolver.getBlockData(block.id(), Option.empty())
        instanceof FileSegmentManagedBuffer part) {
      return part;
    }
    throw new UncheckedIOException(new IOException("%s is not in a file".formatted(block)));
  }

  /** Metrics of this executor. */
  ShuffleCounters counters() {
    return counters;
  }

  @Override
  public IndexShuffleBlockResolver shuffleBlockResolver() {
    // Spark's constructor asks before ours has run.
    return resolver == null ? super.shuffleBlockResolver() : resolver;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <K, C> ShuffleReader<K, C> getReader(
      ShuffleHandle handle,
      int startMapIndex,
      int endMapIndex,
      int startPartition,
      int endPartition,
      TaskContext context,
      ShuffleReadMetricsReporter metrics) {
    ShuffleDependency<K, Object, C> dependency =
        ((BaseShuffleHandle<K, Object, C>) handle).dependency();
    if (dependency.isShuffleMergeFinalizedMarked() || node() == null) {
      return super.getReader(
          handle, startMapIndex, endMapIndex, startPartition, endPartition, context, metrics);
    }
    Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> blocks =
        SparkEnv.get()
            .mapOutputTracker()
            .getMapSizesByExecutorId(
                handle.shuffleId(), startMapIndex, endMapIndex, startPartition, endPartition);
    return new RdmaShuffleReader<>(
        dependency,
        blocks,
        client(),
        context,
        metrics,
        SortShuffleManager.canUseBatchFetch(startPartition, endPartition, context));
  }

  private synchronized RdmaBlockClient client() {
    if (client == null) {
      throw new IllegalStateException("the device of this executor is not open");
    }
    return client;
  }

  @Override
  public void stop() {
    super.stop();
    synchronized (this) {
      isStopped = true;
      lost.forEach(ShuffleNode::close);
      if (node != null) {
        node.close();
      }
    }
  }
}
