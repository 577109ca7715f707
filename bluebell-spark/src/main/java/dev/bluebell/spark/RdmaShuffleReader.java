package dev.bluebell.spark;

import java.io.InputStream;
import org.apache.spark.Aggregator;
import org.apache.spark.InterruptibleIterator;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.internal.config.package$;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockFetcherIterator;
import org.apache.spark.util.CompletionIterator;
import org.apache.spark.util.SystemClock;
import org.apache.spark.util.collection.ExternalSorter;
import scala.Option;
import scala.Product2;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;
import scala.runtime.BoxedUnit;

/**
 * Reads the blocks of a reduce task. Spark's own iterator fetches them through our client, with its
 * limits, retries and checks; Spark's own aggregator and sorter process the records.
 */
final class RdmaShuffleReader<K, C> implements ShuffleReader<K, C> {
  private static final long MEBIBYTE = 1 << 20;

  private final SparkEnv env = SparkEnv.get();
  private final SparkConf conf = env.conf();
  private final ShuffleDependency<K, Object, C> dependency;
  private final Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> blocks;
  private final BlockStoreClient client;
  private final TaskContext context;
  private final ShuffleReadMetricsReporter metrics;
  private final boolean manyPartitions;

  /**
   * @param manyPartitions whether Spark allows fetching neighbouring partitions as one block
   */
  RdmaShuffleReader(
      ShuffleDependency<K, Object, C> dependency,
      Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> blocks,
      BlockStoreClient client,
      TaskContext context,
      ShuffleReadMetricsReporter metrics,
      boolean manyPartitions) {
    this.dependency = dependency;
    this.blocks = blocks;
    this.client = client;
    this.context = context;
    this.metrics = metrics;
    this.manyPartitions = manyPartitions;
  }

  @Override
  @SuppressWarnings("unchecked")
  public Iterator<Product2<K, C>> read() {
    SerializerInstance serializer = dependency.serializer().newInstance();
    Iterator<Tuple2<Object, Object>> records =
        fetch().flatMap(block -> serializer.deserializeStream(block._2()).asKeyValueIterator());
    Iterator<Tuple2<Object, Object>> counted =
        records.map(
            record -> {
              metrics.incRecordsRead(1);
              return record;
            });
    Iterator<Tuple2<Object, Object>> measured =
        CompletionIterator.apply(
            counted,
            () -> {
              context.taskMetrics().mergeShuffleReadMetrics();
              return BoxedUnit.UNIT;
            });
    // A cancelled task stops both before and after the step that collects all records.
    Iterator<?> interruptible = new InterruptibleIterator<>(context, measured);
    Iterator<?> result = collect((Iterator<Product2<K, Object>>) interruptible);
    return (Iterator<Product2<K, C>>)
        (result instanceof InterruptibleIterator
            ? result
            : new InterruptibleIterator<>(context, result));
  }

  private Iterator<Tuple2<BlockId, InputStream>> fetch() {
    package$ keys = package$.MODULE$;
    return new ShuffleBlockFetcherIterator(
            context,
            client,
            env.blockManager(),
            env.mapOutputTracker(),
            blocks,
            (id, stream) -> env.serializerManager().wrapStream(id, stream),
            (long) conf.get(keys.REDUCER_MAX_SIZE_IN_FLIGHT()) * MEBIBYTE,
            (int) conf.get(keys.REDUCER_MAX_REQS_IN_FLIGHT()),
            (int) conf.get(keys.REDUCER_MAX_BLOCKS_IN_FLIGHT_PER_ADDRESS()),
            (long) conf.get(keys.MAX_REMOTE_BLOCK_SIZE_FETCH_TO_MEM()),
            (int) conf.get(keys.SHUFFLE_MAX_ATTEMPTS_ON_NETTY_OOM()),
            (boolean) conf.get(keys.SHUFFLE_DETECT_CORRUPT()),
            (boolean) conf.get(keys.SHUFFLE_DETECT_CORRUPT_MEMORY()),
            (boolean) conf.get(keys.SHUFFLE_CHECKSUM_ENABLED()),
            conf.get(keys.SHUFFLE_CHECKSUM_ALGORITHM()),
            metrics,
            joinsBlocks(),
            new SystemClock())
        .toCompletionIterator();
  }

  /** True when one block may contain the streams of neighbouring partitions. */
  private boolean joinsBlocks() {
    package$ keys = package$.MODULE$;
    if (!manyPartitions
        || !dependency.serializer().supportsRelocationOfSerializedObjects()
        || (boolean) conf.get(keys.SHUFFLE_USE_OLD_FETCH_PROTOCOL())) {
      return false;
    }
    CompressionCodec$ codecs = CompressionCodec$.MODULE$;
    return !(boolean) conf.get(keys.SHUFFLE_COMPRESS())
        || codecs.supportsConcatenationOfSerializedStreams(codecs.createCodec(conf));
  }

  /** Aggregates or sorts the records, or both, as the dependency requires. */
  @SuppressWarnings("unchecked")
  private Iterator<?> collect(Iterator<Product2<K, Object>> records) {
    Option<Aggregator<K, Object, C>> aggregator = dependency.aggregator();
    if (dependency.keyOrdering().isDefined()) {
      return new ExternalSorter<K, Object, C>(
              context,
              aggregator.isDefined() && dependency.mapSideCombine()
                  ? Option.apply(combiningAgain(aggregator.get()))
                  : aggregator,
              Option.empty(),
              Option.apply(dependency.keyOrdering().get()),
              dependency.serializer(),
              ExternalSorter.$lessinit$greater$default$6())
          .insertAllAndUpdateMetrics(records);
    }
    if (aggregator.isEmpty()) {
      return records;
    }
    return dependency.mapSideCombine()
        ? aggregator
            .get()
            .combineCombinersByKey((Iterator<Product2<K, C>>) (Iterator<?>) records, context)
        : aggregator.get().combineValuesByKey(records, context);
  }

  /** An aggregator whose input values are the results that the map tasks combined. */
  @SuppressWarnings("unchecked")
  private Aggregator<K, Object, C> combiningAgain(Aggregator<K, Object, C> aggregator) {
    return new Aggregator<>(
        value -> (C) value,
        (combined, value) -> aggregator.mergeCombiners().apply(combined, (C) value),
        aggregator.mergeCombiners());
  }
}
