package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CqeCompression;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Results in perftest's format: the columns of {@code perftest_parameters.h}. */
final class PerfTable implements PerfReport {
  private static final int NANO_DIGITS = 3;
  private static final int COPY_WORTH_COMPARING = 4096;
  static final String LINE = "-".repeat(87);
  private static final String INTERRUPTED = " Interrupted     : only the rows above were measured";

  private static final String BANDWIDTH_HEAD =
      " #bytes     #iterations    BW peak[%1$s]    BW average[%1$s]   MsgRate[Mpps]";
  private static final String BANDWIDTH_ROW =
      " %-7d    %-10d       %-10.2f         %-10.2f           %-7.6f";
  private static final String LATENCY_HEAD =
      " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
          + "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] ";
  private static final String LATENCY_ROW =
      " %-7d %-10d     %-7.2f        %-7.2f      %-7.2f            %-7.2f"
          + "        %-7.2f         %-7.2f                %-7.2f";

  private final PrintWriter out;
  private final PerfFormat format;
  private final @Nullable String side;
  private final List<PerfResult> results = new ArrayList<>();

  /**
   * Prints a table.
   *
   * @param side the side that this process is; null when it is the only one
   */
  PerfTable(PrintWriter out, PerfFormat format, @Nullable String side) {
    this.out = out;
    this.format = format;
    this.side = side;
  }

  /** Prints the first lines of a table. */
  static void heading(PrintWriter out, String title) {
    out.println(LINE);
    out.println("                    " + title);
  }

  @Override
  public void begin(PerfPlan plan, String device) {
    String kind = plan.latency() ? "Latency" : plan.bidirectional() ? "Bidirectional BW" : "BW";
    heading(out, "%s %s Test".formatted(plan.operation().title(), kind));
    out.println(" Device          : " + device);
    if (side != null) {
      out.println(" This process    : " + side);
    }
    out.println(" Number of qps   : " + queuePairs(plan));
    out.println(" Connection type : " + plan.connection().name());
    if (plan.sharedReceives()) {
      out.println(" Using SRQ       : ON");
    }
    out.println(" TX depth        : " + plan.depth());
    out.println(" CQ Moderation   : " + plan.signalEvery());
    if (plan.compression() != CqeCompression.NONE) {
      out.println(" CQE compression : " + plan.compression());
    }
    out.println(" Inline          : " + (plan.inline() ? "ON" : "OFF"));
    out.println(" Warm-up         : excluded");
    out.println(LINE);
    out.println(plan.latency() ? LATENCY_HEAD : BANDWIDTH_HEAD.formatted(format.unitName()));
    out.flush();
  }

  private static String queuePairs(PerfPlan plan) {
    return plan.active() == plan.queuePairs()
        ? "%d".formatted(plan.queuePairs())
        : "%d, of which %d active".formatted(plan.queuePairs(), plan.active());
  }

  @Override
  public void add(PerfResult result) {
    results.add(result);
    if (result.latency() != null) {
      printEach(result.latency().each());
    }
    if (result.messages() > 0) {
      out.println(row(result, result.latency()));
    }
    out.flush();
  }

  private void printEach(long[] nanos) {
    if (format.unsorted()) {
      print(nanos);
    }
    if (format.sorted()) {
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      print(sorted);
    }
  }

  private void print(long[] nanos) {
    out.println("#, usec");
    for (int i = 0; i < nanos.length; i++) {
      String micros =
          BigDecimal.valueOf(nanos[i], NANO_DIGITS).stripTrailingZeros().toPlainString();
      out.println("%d, %s".formatted(i + 1, micros));
    }
  }

  private String row(PerfResult result, @Nullable Latency latency) {
    int size = result.plan().size();
    if (latency == null) {
      return BANDWIDTH_ROW.formatted(
          size,
          result.messages(),
          result.peak() * size / format.unit(),
          result.bytesPerSecond() / format.unit(),
          result.messagesPerSecond() / 1e6);
    }
    return String.format(
        Locale.ROOT,
        LATENCY_ROW,
        size,
        result.messages(),
        latency.min() / 1e3,
        latency.max() / 1e3,
        latency.p50() / 1e3,
        latency.average() / 1e3,
        latency.deviation() / 1e3,
        latency.p99() / 1e3,
        latency.p999() / 1e3);
  }

  @Override
  public void end() {
    long messages = results.stream().mapToLong(PerfResult::messages).sum();
    out.println(LINE);
    if (results.stream().anyMatch(PerfResult::interrupted)) {
      out.println(INTERRUPTED);
      if (messages == 0) {
        out.flush();
        return;
      }
    }
    double allocated = results.stream().mapToLong(PerfResult::allocated).sum();
    if (results.stream().allMatch(PerfResult::isVerified)) {
      out.println(" Data            : verified, all %,d messages".formatted(messages));
    } else {
      boolean isWrong = results.stream().anyMatch(PerfResult::isWrong);
      out.println(" Data            : " + (isWrong ? "WRONG" : "not verified"));
    }
    if (results.size() == 1) {
      printCopy(results.getFirst());
    }
    results.forEach(this::printFabric);
    printHandOff();
    out.println(
        " Allocated       : %.3f bytes per message, by all threads"
            .formatted(messages == 0 ? 0 : allocated / messages));
    out.flush();
  }

  private void printHandOff() {
    long nanos = results.getLast().handOffNanos();
    if (nanos > 0) {
      out.println(" Processors      : %d ns for a cache line there and back".formatted(nanos));
    }
  }

  private void printFabric(PerfResult result) {
    if (result.fabric() != null) {
      String size = results.size() == 1 ? "" : "%d bytes: ".formatted(result.plan().size());
      out.println(" Fabric          : " + size + result.fabric());
    }
  }

  private void printCopy(PerfResult result) {
    if (result.plan().size() >= COPY_WORTH_COMPARING && result.copyBytesPerSecond() > 0) {
      out.println(
          " Memory copy     : %.2f %s, of which this is %.0f%%"
              .formatted(
                  result.copyBytesPerSecond() / format.unit(),
                  format.unitName(),
                  100 * result.bytesPerSecond() / result.copyBytesPerSecond()));
    }
  }
}
