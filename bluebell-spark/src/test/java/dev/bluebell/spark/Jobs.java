package dev.bluebell.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.Optional;
import scala.Tuple2;

/** Jobs whose results are known, and counters of the executors that ran them. */
final class Jobs {
  static final int VALUE_BYTES = 90;

  private static final long TASK_MILLIS = 50;

  private Jobs() {}

  /** Pairs of a random key and a value of 90 bytes, the same for the same seed. */
  private static JavaPairRDD<Long, byte[]> records(
      JavaSparkContext spark, long seed, int partitions, int perPartition) {
    return spark
        .parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
        .flatMapToPair(
            part -> {
              SplittableRandom random = new SplittableRandom(seed + part);
              return IntStream.range(0, perPartition)
                  .mapToObj(
                      i -> {
                        byte[] value = new byte[VALUE_BYTES];
                        random.nextBytes(value);
                        return new Tuple2<>(random.nextLong(), value);
                      })
                  .iterator();
            });
  }

  /** Order, number and sum of the records of a partition. */
  private static Iterator<long[]> check(Iterator<Tuple2<Long, byte[]>> sorted) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    long count = 0;
    long sum = 0;
    while (sorted.hasNext()) {
      Tuple2<Long, byte[]> next = sorted.next();
      if (next._1() < last) {
        throw new AssertionError("the records are not sorted");
      }
      first = Math.min(first, next._1());
      last = next._1();
      count++;
      sum += 31 * next._1() + Arrays.hashCode(next._2());
    }
    return List.of(new long[] {first, last, count, sum}).iterator();
  }

  /** Sorts records by key, as TeraSort does, and checks order, number and contents. */
  static void sort(JavaSparkContext spark, long seed, int partitions, int perPartition) {
    JavaPairRDD<Long, byte[]> records = records(spark, seed, partitions, perPartition);
    long expected =
        records.map(record -> 31 * record._1() + Arrays.hashCode(record._2())).reduce(Long::sum);
    sort(records, expected, partitions, perPartition);
  }

  private static void sort(
      JavaPairRDD<Long, byte[]> records, long expected, int partitions, int perPartition) {
    List<long[]> parts = records.sortByKey(true, partitions).mapPartitions(Jobs::check).collect();
    long count = 0;
    long sum = 0;
    long last = Long.MIN_VALUE;
    for (long[] part : parts) {
      if (part[2] > 0 && part[0] < last) {
        throw new AssertionError("the partitions are not sorted");
      }
      last = part[2] > 0 ? part[1] : last;
      count += part[2];
      sum += part[3];
    }
    if (count != (long) partitions * perPartition || sum != expected) {
      throw new AssertionError(
          "%d records with the sum %d, not %d with %d"
              .formatted(count, sum, (long) partitions * perPartition, expected));
    }
  }

  /** Groups the numbers below a limit by their remainder, and checks each group. */
  static void group(JavaSparkContext spark, int partitions, int perPartition, int groups) {
    long limit = (long) partitions * perPartition;
    JavaRDD<Integer> parts =
        spark.parallelize(IntStream.range(0, partitions).boxed().toList(), partitions);
    long wrong =
        parts
            .flatMapToPair(
                part ->
                    LongStream.range((long) part * perPartition, (long) (part + 1) * perPartition)
                        .mapToObj(n -> new Tuple2<>((int) (n % groups), n))
                        .iterator())
            .groupByKey(partitions)
            .filter(
                group -> {
                  long sum = 0;
                  long count = 0;
                  for (long n : group._2()) {
                    sum += n;
                    count++;
                  }
                  int rest = group._1();
                  long expected = (limit - rest + groups - 1) / groups;
                  return count != expected
                      || sum != expected * rest + groups * (expected * (expected - 1) / 2);
                })
            .count();
    if (wrong != 0) {
      throw new AssertionError(wrong + " groups are wrong");
    }
  }

  /** Joins numbers with their squares, and checks that each finds its own. */
  static void join(JavaSparkContext spark, int partitions, int perPartition) {
    int limit = Math.multiplyExact(partitions, perPartition);
    JavaPairRDD<Integer, Long> squares =
        numbers(spark, partitions, perPartition).mapToPair(n -> new Tuple2<>(n, (long) n * n));
    JavaPairRDD<Integer, Integer> even =
        numbers(spark, partitions, perPartition)
            .filter(n -> n % 2 == 0)
            .mapToPair(n -> new Tuple2<>(n, -n));
    long right =
        squares
            .leftOuterJoin(even, partitions)
            .filter(
                row -> {
                  int n = row._1();
                  Optional<Integer> other = row._2()._2();
                  return row._2()._1() == (long) n * n
                      && (n % 2 == 0 ? other.isPresent() && other.get() == -n : !other.isPresent());
                })
            .count();
    if (right != limit) {
      throw new AssertionError("%d rows are right, not %d".formatted(right, limit));
    }
  }

  private static JavaRDD<Integer> numbers(
      JavaSparkContext spark, int partitions, int perPartition) {
    return spark
        .parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
        .flatMap(
            part ->
                IntStream.range(part * perPartition, (part + 1) * perPartition).boxed().iterator());
  }

  /** Process IDs of the executors. */
  static Set<Long> processes(JavaSparkContext spark, int executors) {
    return Set.copyOf(
        everywhere(spark, executors)
            .map(
                task -> {
                  Thread.sleep(TASK_MILLIS);
                  return ProcessHandle.current().pid();
                })
            .distinct()
            .collect());
  }

  /** So many tasks that each executor gets some, if they take a while. */
  private static JavaRDD<Integer> everywhere(JavaSparkContext spark, int executors) {
    List<Integer> tasks = IntStream.range(0, 8 * executors).boxed().toList();
    return spark.parallelize(tasks, tasks.size());
  }

  /** Sums of {@link Executors#costs} of all executors. */
  static long[] costs(JavaSparkContext spark, int executors) {
    return everywhere(spark, executors)
        .map(
            task -> {
              Thread.sleep(TASK_MILLIS);
              return new Tuple2<>(SparkEnv.get().executorId(), Executors.costs());
            })
        .collect()
        .stream()
        .collect(Collectors.toMap(Tuple2::_1, Tuple2::_2, (first, later) -> later))
        .values()
        .stream()
        .reduce(new long[2], (a, b) -> new long[] {a[0] + b[0], a[1] + b[1]});
  }

  /** Sums of the counters of all executors; those of another manager have none. */
  static Map<String, Long> counters(JavaSparkContext spark, int executors) {
    return everywhere(spark, executors)
        .mapToPair(
            task -> {
              Thread.sleep(TASK_MILLIS);
              return new Tuple2<>(SparkEnv.get().executorId(), Executors.counters());
            })
        .reduceByKey((some, same) -> some)
        .values()
        .flatMapToPair(
            counters -> {
              List<Tuple2<String, Long>> entries = new ArrayList<>();
              counters.forEach((name, count) -> entries.add(new Tuple2<>(name, count)));
              return entries.iterator();
            })
        .reduceByKey(Long::sum)
        .collectAsMap();
  }
}
