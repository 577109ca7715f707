package dev.bluebell.cli.stat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import dev.bluebell.cli.perf.CliProcess;
import dev.bluebell.cli.perf.Peers;
import dev.bluebell.cli.share.RuntimeFolder;
import dev.bluebell.hca.counter.PortCounter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** stat prints counters by name, with their rates. */
class StatCommandTest {
  private static final long SECOND = 1_000_000_000;

  @TempDir private Path folder;

  @Test
  void eachSampleIsAJsonObject() throws IOException {
    Cli cli = shared("-n", "2", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.json()).hasSize(2);
    for (JsonNode look : cli.json()) {
      assertThat(look.get("counters").size()).isEqualTo(PortCounter.values().length);
      assertThat(look.get("counters").get("rnr_nak_retry_err").asLong()).isZero();
      assertThat(look.get("seconds").asDouble()).isPositive();
    }
  }

  @Test
  void anIdleDeviceReportsThatAllCountersAreZero() throws IOException {
    assertThat(shared("-n", "1").out()).contains("All counters are 0");
  }

  /** The command on the device of a device process. */
  private Cli shared(String... words) throws IOException {
    try (Peers peers = new Peers(folder)) {
      List<String> all = new ArrayList<>(List.of("stat", "-d", peers.device(), "-i", "0.001"));
      all.addAll(List.of(words));
      return Cli.run(all.toArray(String[]::new));
    }
  }

  @Test
  void aNewDeviceOfItsOwnIsNotWatchedBecauseNothingHappensThere() {
    for (String device : List.of("soft", "soft:engine=poll")) {
      Cli cli = Cli.run("stat", "--device", device, "-n", "1", "-i", "0.001");
      assertThat(cli.exitCode()).isEqualTo(2);
      assertThat(cli.out()).isEmpty();
      assertThat(cli.err())
          .startsWith("bluebell: --device %s would be a new device".formatted(device))
          .contains("--device socket:PATH");
    }
  }

  @Test
  void theNameOfTheDeviceThatApplicationsSeeLeadsToThatDevice() throws IOException {
    assumeThat(Path.of("/sys/class/infiniband/mlx5_0")).doesNotExist();
    assumeThat(RuntimeFolder.get().resolve("device.sock")).doesNotExist();
    Cli cli = Cli.run("stat", "--device", "mlx5_0", "-n", "1", "-i", "0.001");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err())
        .contains("to watch the device that 'bluebell run' names mlx5_0, leave --device out");
  }

  @Test
  void aDeviceThatRunNamesIsFoundByItsName() throws IOException {
    String name = "stat-" + ProcessHandle.current().pid();
    String[] words = {"stat", "--device", name, "-n", "1", "-i", "0.001"};
    Cli none = Cli.run(words);
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err())
        .contains("no device process runs that 'bluebell run' names " + name)
        .doesNotContain("choose soft");
    try (Peers peers = new Peers(RuntimeFolder.get(), "device-" + name + ".sock")) {
      Cli cli = Cli.run(words);
      assertThat(cli.exitCode()).as(cli.err()).isZero();
      assertThat(cli.out()).contains("All counters are 0");
    }
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
  @Tag("slow")
  void itEndsQuietlyWhenNothingReadsItsOutput() throws IOException, InterruptedException {
    try (Peers peers = new Peers(folder)) {
      endsQuietly(CliProcess.builder(List.of("stat", "-d", peers.device(), "-i", "0.001")).start());
    }
  }

  private static void endsQuietly(Process stat) throws IOException, InterruptedException {
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
  void aCounterThatWasResetRoseFromZero() {
    for (PortCounter counter : List.of(PortCounter.OUT_OF_SEQUENCE, PortCounter.PORT_XMIT_DATA)) {
      Sample before = sample(0, counter, 1000);
      assertThat(sample(SECOND, counter, 5).rate(counter, before)).isEqualTo(5);
    }
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
