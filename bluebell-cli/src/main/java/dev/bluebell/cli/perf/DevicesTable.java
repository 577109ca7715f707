package dev.bluebell.cli.perf;

import dev.bluebell.hca.text.Counted;
import java.io.PrintWriter;

/** Prints the message rates of several devices at once, their sum, and the rate of one alone. */
final class DevicesTable {
  private final PrintWriter out;
  private double alone;
  private double sum;
  private int devices;
  private boolean interrupted;

  DevicesTable(PrintWriter out) {
    this.out = out;
  }

  void begin(String title) {
    PerfTable.heading(out, title);
    out.println(PerfTable.LINE);
    out.println(" device  MsgRate[Mpps]");
    out.flush();
  }

  void alone(PerfResult result) {
    alone = rate(result);
    row("alone", result);
  }

  void add(PerfResult result) {
    sum += rate(result);
    row(String.valueOf(++devices), result);
  }

  /**
   * Prints the sum, or that there is none because of an interruption.
   *
   * @param threads threads that ran all the time
   */
  void end(int threads, int processors) {
    out.println(PerfTable.LINE);
    if (interrupted) {
      out.println(PerfTable.INTERRUPTED);
      out.flush();
      return;
    }
    out.println(
        " Sum %.3f, %.2f times one alone; %s ran on %s"
            .formatted(
                sum,
                sum / alone,
                Counted.of(threads, "thread"),
                Counted.of(processors, "processor")));
    out.flush();
  }

  private void row(String device, PerfResult result) {
    interrupted |= result.interrupted();
    if (result.messages() > 0) {
      out.println(" %-7s %.3f".formatted(device, rate(result)));
      out.flush();
    }
  }

  private static double rate(PerfResult result) {
    return result.messagesPerSecond() / 1e6;
  }
}
