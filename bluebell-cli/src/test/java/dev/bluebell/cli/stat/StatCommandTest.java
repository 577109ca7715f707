package dev.bluebell.cli.stat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import dev.bluebell.cli.perf.CliProcess;
import dev.bluebell.hca.counter.PortCounter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** stat prints counters by name, with their rates. */
class StatCommandTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void eachSampleIsAJsonObject() {
    Cli cli = Cli.run("stat", "--device", "soft:engine=poll", "-i", "0.001", "-n", "2", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.json()).hasSize(2);
    for (JsonNode look : cli.json()) {
      assertThat(look.get("counters").size()).isEqualTo(PortCounter.values().length);
      assertThat(look.get("counters").get("rnr_nak_retry_err").asLong()).isZero();
      assertThat(look.get("seconds").asDouble()).isPositive();
    }
  }

  @Test
  void anIdleDeviceReportsThatAllCountersAreZero() {
    Cli cli = Cli.run("stat", "--device", "soft:engine=poll", "-i", "0.001", "-n", "1");
    assertThat(cli.out()).contains("All counters are 0");
  }

  @Test
  void anIdleDeviceSaysSoInALineUntilACounterRises() {
    StringWriter text = new StringWriter();
    StatTable table = new StatTable(new PrintWriter(text), false, false);
    Sample idle = sample(0, PortCounter.PORT_XMIT_PACKETS, 0);
    Sample busy = sample(SECOND, PortCounter.PORT_XMIT_PACKETS, 7);
    table.print(idle, idle);
    table.print(idle, idle);
    assertThat(text.toString())
        .containsOnlyOnce("All counters are still 0.")
        .containsOnlyOnce("total");
    table.print(busy, idle);
    table.print(busy, busy);
    assertThat(text.toString().lines().filter(line -> line.contains("port_"))).hasSize(2);
  }

  @Test
  void itEndsQuietlyWhenNothingReadsItsOutput() throws IOException, InterruptedException {
    Process stat =
        CliProcess.builder(List.of("stat", "--device", "soft:engine=poll", "-i", "0.001")).start();
    try {
      try (InputStream out = stat.getInputStream()) {
        assertThat(out.read()).isPositive();
      }
      assertThat(stat.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(stat.exitValue()).isZero();
      assertThat(stat.errorReader().lines()).isEmpty();
    } finally {
      Process unused = stat.destroyForcibly();
    }
  }

  @Test
  void anInvalidIntervalOrCountIsWrongUsage() {
    assertThat(Cli.run("stat", "--interval", "0").exitCode()).isEqualTo(2);
    assertThat(Cli.run("stat", "--interval", "NaN").exitCode()).isEqualTo(2);
    assertThat(Cli.run("stat", "--count", "-1").exitCode()).isEqualTo(2);
    assertThat(Cli.run("stat", "--count", "0").err()).contains("--count must be at least 1");
  }

  @Test
  void ratesAreMeasuredBetweenTwoSamples() {
    Sample before = sample(0, PortCounter.OUT_OF_SEQUENCE, 0xffff_fffeL);
    Sample now = sample(2 * SECOND, PortCounter.OUT_OF_SEQUENCE, 8);
    assertThat(now.rate(PortCounter.OUT_OF_SEQUENCE, before)).as("over 32 bits").isEqualTo(5);
    assertThat(now.rate(PortCounter.PORT_XMIT_DATA, before)).isZero();
  }

  @Test
  void aTableReplacesTheOneBeforeOnATerminal() {
    StringWriter text = new StringWriter();
    StatTable table = new StatTable(new PrintWriter(text), false, true);
    Sample sample = sample(SECOND, PortCounter.PORT_XMIT_PACKETS, 7);
    table.print(sample, sample(0, PortCounter.PORT_XMIT_PACKETS, 0));
    table.print(sample, sample);
    assertThat(text.toString()).containsOnlyOnce("\033[2A").contains("port_xmit_packets");
    assertThat(text.toString().lines().filter(line -> line.contains("port_"))).hasSize(2);
  }

  private static Sample sample(long nanos, PortCounter counter, long value) {
    Map<PortCounter, Long> counters = new EnumMap<>(PortCounter.class);
    for (PortCounter each : PortCounter.values()) {
      counters.put(each, each == counter ? value : 0);
    }
    return new Sample(nanos, counters);
  }
}
