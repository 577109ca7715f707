package dev.bluebell.examples.keyvalue;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * Runs random operations on a store, and compares each answer with that of a map. Other clients may
 * use the store with other keys meanwhile.
 */
public final class RandomOperations {
  private static final int READS_OF_TEN = 5;
  private static final int REMOVES_OF_TEN = 1;

  private final KeyValueStore store;
  private final Random random;
  private final int keys;
  private final int first;
  private final int step;
  private final Map<Long, byte[]> model = new HashMap<>();

  /** Latency in ns of the operations that change nothing. */
  public final Histogram reads = new Histogram(3);

  /** Latency in ns of the operations that change something. */
  public final Histogram changes = new Histogram(3);

  /**
   * @param keys number of keys to use: {@code first, first + step, …}
   */
  public RandomOperations(KeyValueStore store, long seed, int keys, int first, int step) {
    this.store = store;
    random = new Random(seed);
    this.keys = keys;
    this.first = first;
    this.step = step;
  }

  /**
   * Runs some operations.
   *
   * @throws IllegalStateException when an answer of the store differs from the map's
   */
  public void run(long operations) throws IOException {
    for (long number = 0; number < operations; number++) {
      long key = first + (long) random.nextInt(keys) * step;
      int kind = random.nextInt(10);
      if (kind < READS_OF_TEN) {
        get(number, key);
      } else if (kind < READS_OF_TEN + REMOVES_OF_TEN) {
        remove(number, key);
      } else {
        put(number, key);
      }
    }
  }

  private void get(long number, long key) throws IOException {
    long start = System.nanoTime();
    byte[] value = store.get(key);
    reads.recordValue(System.nanoTime() - start);
    expect(Arrays.equals(value, model.get(key)), "get", number, key);
  }

  private void put(long number, long key) throws IOException {
    byte[] value = new byte[random.nextInt(KeyValueStore.MAX_VALUE + 1)];
    random.nextBytes(value);
    long start = System.nanoTime();
    boolean done = store.put(key, value);
    changes.recordValue(System.nanoTime() - start);
    expect(done, "put", number, key);
    model.put(key, value);
  }

  private void remove(long number, long key) throws IOException {
    long start = System.nanoTime();
    boolean done = store.remove(key);
    changes.recordValue(System.nanoTime() - start);
    expect(done == (model.remove(key) != null), "remove", number, key);
  }

  private static void expect(boolean right, String what, long number, long key) {
    if (!right) {
      throw new IllegalStateException(
          "operation %d, %s of key %d, has a wrong answer".formatted(number, what, key));
    }
  }
}
