package dev.bluebell.program.plan;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Numbers, keys and addresses of the objects that a plan is installed in.
 *
 * @param queues the queues
 * @param counters numbers of the completion queues
 * @param receives the receive queue that takes the client's message
 * @param record its doorbell record
 * @param words the region that areas share
 * @param regions those of the program's data
 */
public record Placement(
    Map<Lane, Queue> queues,
    Map<Counter, Integer> counters,
    Slots receives,
    Range record,
    Range words,
    Map<Area, Range> regions) {
  private static final int EXAMPLE_QPN = 0x40;
  private static final int EXAMPLE_CQN = 0x80;
  private static final int EXAMPLE_KEY = 0x1000;
  private static final long EXAMPLE_ADDRESS = 0x1_0000_0000L;
  private static final long EXAMPLE_STEP = 0x1000_0000L;

  /** Copies the maps. */
  public Placement {
    queues = Map.copyOf(queues);
    counters = Map.copyOf(counters);
    regions = Map.copyOf(regions);
  }

  /**
   * Registered memory.
   *
   * @param address address of the first byte
   * @param lkey its local key
   * @param rkey its remote key
   */
  public record Range(long address, int lkey, int rkey) {}

  /**
   * A ring.
   *
   * @param range its memory
   * @param logStride binary logarithm of a slot's bytes
   * @param logSlots binary logarithm of the number of slots
   */
  public record Slots(Range range, int logStride, int logSlots) {}

  /**
   * A queue pair.
   *
   * @param qpn its number
   * @param peer as {@link dev.bluebell.program.image.Queue#peer}
   * @param ring its send ring
   */
  public record Queue(int qpn, int peer, Slots ring) {}

  /** A placement with made-up numbers, for a plan that is displayed and not installed. */
  public static Placement example(Plan plan) {
    Map<Lane, Queue> queues = new EnumMap<>(Lane.class);
    Map<Counter, Integer> counters = new EnumMap<>(Counter.class);
    for (Lane lane : plan.lanes()) {
      int number = lane.ordinal();
      int qpn = EXAMPLE_QPN + number;
      int peer = lane == Lane.CLIENT ? dev.bluebell.program.image.Queue.CLIENT : qpn;
      int log = log2Ceil(Math.max(1, plan.wqebbs(lane)));
      queues.put(lane, new Queue(qpn, peer, new Slots(exampleRange(number), 6, log)));
    }
    for (Counter counter : plan.counters()) {
      counters.put(counter, EXAMPLE_CQN + counter.ordinal());
    }
    int stride = log2Ceil(16 * Math.max(1, plan.message().size()));
    // Some plans lack some queues; numbers after the last queue are free.
    int count = plan.lanes().getLast().ordinal() + 1;
    Map<Area, Range> regions = new HashMap<>();
    for (Area data : plan.data()) {
      regions.put(data, exampleRange(count + 3 + regions.size()));
    }
    return new Placement(
        queues,
        counters,
        new Slots(exampleRange(count), stride, 0),
        exampleRange(count + 2),
        exampleRange(count + 1),
        regions);
  }

  private static Range exampleRange(int number) {
    int key = EXAMPLE_KEY + 0x100 * number;
    return new Range(EXAMPLE_ADDRESS + number * EXAMPLE_STEP, key, key + 1);
  }

  static int log2Ceil(int value) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(value - 1);
  }

  public Queue queue(Lane lane) {
    return required(queues.get(lane), lane);
  }

  /** Number of a completion queue. */
  public int counter(Counter counter) {
    return required(counters.get(counter), counter);
  }

  /** The region of some data. */
  public Range data(Area data) {
    return required(regions.get(data), data.name());
  }

  private static <T> T required(@Nullable T found, Object what) {
    return Objects.requireNonNull(found, () -> what + " has no place");
  }
}
