package dev.bluebell.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
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

  /** Maximum time for which tasks wait for the device to open. */
  private static final Duration OPENING = Duration.ofSeconds(10);

  private final Settings settings;
  private final @Nullable String refusal;
  private final RdmaBlockResolver resolver;
  private final ShuffleCounters counters = new ShuffleCounters();
  private final OwnDevice device;
  private volatile @Nullable RdmaBlockClient client;

  public RdmaShuffleManager(SparkConf conf) {
    super(conf);
    settings = Settings.of(conf);
    device = new OwnDevice(settings.device(), this::open, settings.retryInterval(), OPENING);
    refusal = refusal(conf);
    if (refusal != null) {
      LOG.warn("Spark's own transfer fetches all shuffle blocks: {}", refusal);
    }
    resolver =
        new RdmaBlockResolver(
            conf, super.shuffleBlockResolver().taskIdMapsForShuffle(), device::opened, this::node);
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

  /** The device of this executor; null when it cannot be used. */
  private @Nullable ShuffleNode node() {
    return refusal == null ? device.node() : null;
  }

  private ShuffleNode open() throws IOException {
    SparkEnv env = SparkEnv.get();
    ShuffleNode opened =
        ShuffleNode.open(
            settings, env.blockManager().blockManagerId().host(), counters, this::segment);
    if (client == null) {
      env.metricsSystem().registerSource(counters);
    }
    client = new RdmaBlockClient(opened, env.blockManager().blockStoreClient());
    return opened;
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

  private RdmaBlockClient client() {
    RdmaBlockClient opened = client;
    if (opened == null) {
      throw new IllegalStateException("the device of this executor is not open");
    }
    return opened;
  }

  @Override
  public void stop() {
    super.stop();
    device.stop();
  }
}
