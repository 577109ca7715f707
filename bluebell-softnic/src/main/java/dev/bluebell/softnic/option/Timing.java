package dev.bluebell.softnic.option;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The cost of work in virtual time: the constants of one card, each with its source. A device that
 * is opened with it ({@link SoftNicOptions#withTiming}) predicts how long a client would take on
 * that card; it measures nothing.
 *
 * @param name of the card
 * @param values of all constants, in their units
 */
public record Timing(String name, Map<Constant, Double> values) {

  /** The part of the paper that has the value of a constant. */
  public enum Source {
    /** The figure of latencies of single verbs. */
    FIGURE_OF_VERBS,
    /** The figure of NOPs in three orders: slopes fitted to it. */
    FIGURE_OF_ORDERS,
    /** The table of rates of one port. */
    TABLE_OF_RATES,
    /** The table of processing units of three generations. */
    TABLE_OF_UNITS,
    /** The description of the testbed. */
    TESTBED
  }

  /**
   * The constants. All are from "RDMA is Turing complete, we just did not know it yet!" (Reda,
   * Canini, Kostić, Peter, NSDI 2022): read in the text, or off a figure.
   */
  public enum Constant {
    /** A signalled NOP through a loopback queue pair, from the doorbell to the CQE. */
    NOP_LOCAL(1060, "ns", Source.FIGURE_OF_VERBS),
    /** The same through a queue pair whose peer is another host: the difference is the network. */
    NOP_REMOTE(1280, "ns", Source.FIGURE_OF_VERBS),
    /** An RDMA READ of 64 bytes from another host. */
    READ(1820, "ns", Source.FIGURE_OF_VERBS),
    /** An RDMA WRITE of 64 bytes to another host; SENDs are taken to cost the same. */
    WRITE(1590, "ns", Source.FIGURE_OF_VERBS),
    /** A compare-and-swap of 8 bytes at another host. */
    COMPARE_SWAP(1730, "ns", Source.FIGURE_OF_VERBS),
    /** A fetch-and-add of 8 bytes at another host. */
    FETCH_ADD(1640, "ns", Source.FIGURE_OF_VERBS),
    /** The time of each further WQE of a queue when WQEs are fetched ahead. */
    QUEUE_ORDER(149, "ns", Source.FIGURE_OF_ORDERS),
    /** The same when each WQE waits (WAIT) for the completion of the one before. */
    COMPLETION_ORDER(153, "ns", Source.FIGURE_OF_ORDERS),
    /** The same when each WQE is also fetched only when a SEND_EN enables it. */
    DOORBELL_ORDER(501, "ns", Source.FIGURE_OF_ORDERS),
    /** READs of one port. */
    READ_RATE(65, "million/s", Source.TABLE_OF_RATES),
    /** WRITEs of one port; all requests but READs take as much of a processing unit. */
    WRITE_RATE(63, "million/s", Source.TABLE_OF_RATES),
    /** Atomics that one port executes. */
    ATOMIC_RATE(8.4, "million/s", Source.TABLE_OF_RATES),
    /** Processing units of one port; each serves one queue at a time. */
    UNITS(8, "units", Source.TABLE_OF_UNITS),
    /** Bandwidth of a port in each direction. */
    BANDWIDTH(100, "Gb/s", Source.TESTBED);

    private final double connectx5;
    private final String unit;
    private final Source source;

    Constant(double connectx5, String unit, Source source) {
      this.connectx5 = connectx5;
      this.unit = unit;
      this.source = source;
    }

    /** The unit of its value. */
    public String unit() {
      return unit;
    }

    /** The source of its value for a ConnectX-5. */
    public Source source() {
      return source;
    }
  }

  /** The paper's ConnectX-5: one port of 100 Gb/s, two hosts back to back. */
  public static final Timing CONNECTX5 = new Timing("connectx5", connectx5());

  private static Map<Constant, Double> connectx5() {
    Map<Constant, Double> values = new EnumMap<>(Constant.class);
    for (Constant constant : Constant.values()) {
      values.put(constant, constant.connectx5);
    }
    return values;
  }

  /**
   * Checks that all constants are present and positive.
   *
   * @throws IllegalArgumentException when one is not
   */
  public Timing {
    for (Constant constant : Constant.values()) {
      Double value = values.get(constant);
      if (value == null || !(value > 0) || value.isInfinite()) {
        throw new IllegalArgumentException(
            "%s of timing %s is %s; it must be a positive number of %s"
                .formatted(constant, name, value, constant.unit));
      }
    }
    values = Collections.unmodifiableMap(new EnumMap<>(values));
  }

  /** The value of a constant, in its unit. */
  public double get(Constant constant) {
    return values.getOrDefault(constant, constant.connectx5);
  }

  /** A copy with another value of one constant. */
  public Timing with(Constant constant, double value) {
    Map<Constant, Double> changed = new EnumMap<>(values);
    changed.put(constant, value);
    return new Timing(name, changed);
  }

  /** The constants by their name in the options of the device {@code soft}. */
  static Timing named(String name) {
    if (!name.toLowerCase(Locale.ROOT).equals(CONNECTX5.name)) {
      throw new IllegalArgumentException(
          "timing=%s of device soft is unknown; it must be connectx5".formatted(name));
    }
    return CONNECTX5;
  }
}
