package dev.bluebell.cli.perf;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.output.Spread;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Prints one line for each process of a measurement, and their spread. */
final class RunsTable {
  private final PrintWriter out;
  private final boolean latency;
  private final List<Double> figures = new ArrayList<>();

  RunsTable(PrintWriter out, boolean latency) {
    this.out = out;
    this.latency = latency;
  }

  void begin(String title) {
    PerfTable.heading(out, title);
    out.println(PerfTable.LINE);
    out.println(
        " run   %-20s cache line there and back[nsec]"
            .formatted(latency ? "t_typical[usec]" : "MsgRate[Mpps]"));
    out.flush();
  }

  void add(JsonNode result) {
    double figure =
        latency
            ? result.at("/latencyNanos/p50").asDouble() / 1e3
            : result.at("/messagesPerSecond").asDouble() / 1e6;
    figures.add(figure);
    out.println(
        " %-5d %-20.3f %d"
            .formatted(figures.size(), figure, result.path("cacheLineRoundTripNanos").asLong()));
    out.flush();
  }

  void end() {
    Spread spread = Spread.of(figures);
    out.println(PerfTable.LINE);
    out.println(
        " Median %.3f, least %.3f (%.2f of the median), most %.3f (%.2f)"
            .formatted(
                spread.median(),
                spread.least(),
                spread.least() / spread.median(),
                spread.most(),
                spread.most() / spread.median()));
    out.flush();
  }
}
