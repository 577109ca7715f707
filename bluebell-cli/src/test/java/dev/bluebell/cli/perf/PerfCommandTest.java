package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** perf accepts perftest's options, and prints perftest's tables, and JSON. */
class PerfCommandTest {
  private static Cli perf(String... args) {
    List<String> all = new ArrayList<>(List.of("perf", "--warm-up", "0"));
    all.addAll(Arrays.asList(args));
    return Cli.run(all.toArray(String[]::new));
  }

  @ParameterizedTest(name = "{0} on engine {1}")
  @CsvSource({
    "write, thread",
    "read, thread",
    "send, thread",
    "write-imm, thread",
    "cas, thread",
    "faa, thread",
    "tag-send, thread",
    "masked-cas, thread",
    "masked-faa, thread",
    "copy, thread",
    "bind, thread",
    "echo, thread",
    "write, poll",
    "read, poll",
    "send, poll",
    "write-imm, poll",
    "tag-send, poll",
    "cas, poll",
    "faa, poll",
    "masked-cas, poll",
    "masked-faa, poll",
    "copy, poll",
    "bind, poll",
    "echo, poll"
  })
  void everyOperationRunsOnBothEngines(String operation, String engine) {
    Cli cli = perf(operation, "--engine", engine, "--iters", "3000", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    JsonNode result = cli.json().getFirst();
    assertThat(result.get("operation").asText()).isEqualTo(operation);
    assertThat(result.get("iterations").asLong()).isEqualTo(3000);
    assertThat(result.get("device").asText()).isEqualTo("soft:engine=" + engine);
    assertThat(result.get("messagesPerSecond").asDouble()).isPositive();
    assertThat(result.get("dataVerified").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(
      strings = {
        "write",
        "read",
        "send",
        "tag-send",
        "write-imm",
        "cas",
        "faa",
        "masked-cas",
        "masked-faa",
        "copy",
        "bind",
        "echo"
      })
  void everyOperationHasALatency(String operation) {
    Cli cli = perf(operation, "--latency", "--iters", "200", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    JsonNode latency = cli.json().getFirst().get("latencyNanos");
    assertThat(latency.get("min").asLong()).isPositive();
    assertThat(latency.get("average").asLong()).isPositive();
    assertThat(latency.get("deviation").asLong()).isNotNegative();
    assertThat(latency.get("p50").asLong()).isGreaterThanOrEqualTo(latency.get("min").asLong());
    assertThat(latency.get("p99").asLong()).isGreaterThanOrEqualTo(latency.get("p50").asLong());
    assertThat(latency.get("p999").asLong()).isGreaterThanOrEqualTo(latency.get("p99").asLong());
    assertThat(latency.get("max").asLong()).isGreaterThanOrEqualTo(latency.get("p999").asLong());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "write",
        "read",
        "send",
        "tag-send",
        "write-imm",
        "cas",
        "faa",
        "masked-cas",
        "masked-faa",
        "echo"
      })
  void everyOperationSurvivesALossyFabric(String operation) {
    String device = "soft:engine=poll,loss=5%,reorder=1%,duplicate=1%,delay=20,seed=7";
    Cli cli = perf(operation, "--device", device, "--iters", "300", "--size", "8", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    JsonNode result = cli.json().getFirst();
    assertThat(result.get("dataVerified").asBoolean()).isTrue();
    assertThat(result.get("fabric").asText())
        .matches("loss=5%,reorder=1%,duplicate=1%,delay=20,seed=7: .* [1-9][0-9]* lost, .*");
  }

  @ParameterizedTest(name = "{0} over {1} on engine {2}")
  @Tag("slow")
  @CsvSource({
    "write, UC, thread",
    "write, uc, poll",
    "send, uc, thread",
    "write-imm, uc, poll",
    "echo, Uc, poll",
    "send, ud, thread",
    "send, UD, poll",
    "write, dc, thread",
    "write, dc, poll",
    "send, DC, thread",
    "write-imm, dc, poll",
    "read, dc, poll",
    "cas, dc, poll",
    "faa, dc, thread",
    "masked-cas, dc, poll",
    "echo, dc, poll",
    "write, xrc, thread",
    "write, XRC, poll",
    "send, xrc, thread",
    "write-imm, xrc, poll",
    "read, xrc, poll",
    "cas, xrc, poll",
    "masked-cas, xrc, poll",
    "masked-faa, xrc, poll",
    "echo, xrc, poll"
  })
  void everyOperationOfAConnectionKindRunsOverThatKind(
      String operation, String kind, String engine) {
    Cli cli = perf(operation, "-c", kind, "--engine", engine, "--iters", "3000", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    JsonNode result = cli.json().getFirst();
    assertThat(result.get("connection").asText()).isEqualTo(kind.toUpperCase(Locale.ROOT));
    assertThat(result.get("iterations").asLong()).isEqualTo(3000);
    assertThat(result.get("dataVerified").asBoolean()).isTrue();
  }

  @ParameterizedTest(name = "{0}, compressed {1}")
  @Tag("slow")
  @CsvSource({"echo, basic", "echo, enhanced", "send, basic", "write, enhanced", "write, basic"})
  void completionsMayBeCompressed(String operation, String layout) {
    Cli cli =
        perf(
            operation,
            "--size",
            "32",
            "-Q",
            "1",
            "--iters",
            "50003",
            "--compress",
            layout,
            "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    JsonNode result = cli.json().getFirst();
    assertThat(result.get("compression").asText()).isEqualTo(layout);
    assertThat(result.get("dataVerified").asBoolean()).isTrue();
  }

  @ParameterizedTest(name = "{0} over {1}")
  @CsvSource({
    "write, uc",
    "write-imm, uc",
    "send, uc",
    "echo, uc",
    "send, ud",
    "write, dc",
    "send, dc",
    "read, dc",
    "send, xrc"
  })
  void everyOperationOfAKindHasALatency(String operation, String kind) {
    Cli cli = perf(operation, "-c", kind, "--latency", "--iters", "200", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.json().getFirst().at("/latencyNanos/p50").asLong()).isPositive();
  }

  @Test
  void anInitiatorOfDynamicConnectionsCopiesMemoryToo() {
    Cli cli = perf("copy", "-c", "dc", "--iters", "300", "--size", "256", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.json().getFirst().get("dataVerified").asBoolean()).isTrue();
  }

  @Test
  void onlyReliableAndDynamicConnectionsCopyMemory() {
    assertThat(perf("copy", "-c", "xrc").err()).contains("made by queue pairs of rc and dc only");
  }

  @Test
  @Tag("slow")
  void messagesOfDatagramsEndAtTheMtu() {
    List<JsonNode> all = perf("send", "-c", "ud", "--all", "--iters", "20", "--json").json();
    assertThat(all.stream().map(line -> line.get("size").asInt())).startsWith(2).endsWith(4096);
    Cli byDefault = perf("send", "-c", "ud", "--iters", "20", "--json");
    assertThat(byDefault.json().getFirst().get("size").asInt()).isEqualTo(4096);
    Cli longer = perf("send", "-c", "ud", "--size", "4097");
    assertThat(longer.exitCode()).isEqualTo(2);
    assertThat(longer.err()).contains("over ud has at most 4096 bytes, the MTU of the port");
  }

  @ParameterizedTest(name = "over {0}, latency {1}")
  @Tag("slow")
  @CsvSource({
    "rc, false",
    "rc, true",
    "uc, false",
    "ud, false",
    "ud, true",
    "dc, false",
    "dc, true"
  })
  void manyQueuePairsMayReceiveFromOneQueue(String kind, boolean latency) {
    List<String> args = new ArrayList<>(List.of("send", "-c", kind, "--srq", "--size", "96"));
    args.addAll(latency ? List.of("--latency") : List.of("--qp", "5", "--bidirectional"));
    args.addAll(List.of("--iters", "5003", "--json"));
    Cli cli = perf(args.toArray(String[]::new));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    JsonNode result = cli.json().getFirst();
    assertThat(result.get("sharedReceives").asBoolean()).isTrue();
    assertThat(result.get("dataVerified").asBoolean()).isTrue();
  }

  @ParameterizedTest(name = "{0} over {1}")
  @CsvSource({
    "write, dc",
    "send, dc",
    "read, dc",
    "faa, dc",
    "write, xrc",
    "send, xrc",
    "cas, xrc"
  })
  void kindsThatAreReliableSurviveALossyFabric(String operation, String kind) {
    String device = "soft:engine=poll,loss=5%,reorder=1%,duplicate=1%,delay=20,seed=7";
    Cli cli =
        perf(operation, "-c", kind, "--device", device, "--iters", "300", "--size", "8", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.json().getFirst().get("dataVerified").asBoolean()).isTrue();
  }

  @Test
  void manyQueuePairsShareATagList() {
    Cli cli =
        perf(
            "tag-send",
            "--size",
            "9000",
            "--qp",
            "3",
            "--bidirectional",
            "--iters",
            "999",
            "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.json().getFirst().get("dataVerified").asBoolean()).isTrue();
  }

  @Test
  void theTableNamesTheConnectionTypeAndTheSharedReceiveQueue() {
    assertThat(perf("send", "-c", "UD", "--use-srq", "--iters", "20").out().lines())
        .contains(" Connection type : UD", " Using SRQ       : ON");
  }

  @Test
  void theTableSaysWhatALossyFabricDid() {
    Cli cli = perf("write", "--device", "soft:engine=poll,reorder=10%,seed=7", "--iters", "500");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .contains(" Fabric          : loss=0%,reorder=10%,duplicate=0%,delay=0,seed=7: ");
    assertThat(perf("write", "--iters", "500").out()).doesNotContain("Fabric");
  }

  @Test
  void aLineOfJsonHasAllFields() {
    Cli cli =
        perf(
            "write",
            "--size",
            "32",
            "--iters",
            "1000",
            "--tx-depth",
            "64",
            "--inline",
            "32",
            "--json");
    JsonNode result = cli.json().getFirst();
    assertThat(result.fieldNames())
        .toIterable()
        .contains(
            "operation",
            "connection",
            "size",
            "iterations",
            "queueDepth",
            "signalEvery",
            "inline",
            "messagesPerSecond",
            "bytesPerSecond",
            "latencyNanos",
            "dataVerified",
            "interrupted",
            "allocatedBytesPerOperation");
    assertThat(result.get("connection").asText()).isEqualTo("RC");
    assertThat(result.get("size").asInt()).isEqualTo(32);
    assertThat(result.get("queueDepth").asInt()).isEqualTo(64);
    assertThat(result.get("signalEvery").asInt()).isEqualTo(64);
    assertThat(result.get("inline").asBoolean()).isTrue();
    assertThat(result.get("latencyNanos").isNull()).isTrue();
    assertThat(result.get("bytesPerSecond").asDouble() / 32)
        .isCloseTo(result.get("messagesPerSecond").asDouble(), within(1));
  }

  private static org.assertj.core.data.Percentage within(double percent) {
    return org.assertj.core.data.Percentage.withPercentage(percent);
  }

  @Test
  void defaultsAreThoseOfPerftest() {
    JsonNode write = perf("write", "--iters", "100", "--json").json().getFirst();
    assertThat(write.get("size").asInt()).isEqualTo(65536);
    assertThat(write.get("queueDepth").asInt()).isEqualTo(128);
    assertThat(write.get("signalEvery").asInt()).isEqualTo(1);
    JsonNode small = perf("write", "--size", "64", "--iters", "100", "--json").json().getFirst();
    assertThat(small.get("signalEvery").asInt()).isEqualTo(100);
    JsonNode echo = perf("echo", "--iters", "100", "--json").json().getFirst();
    assertThat(echo.get("size").asInt()).isEqualTo(32);
    assertThat(echo.get("queueDepth").asInt()).isEqualTo(1024);
    assertThat(echo.get("signalEvery").asInt()).isEqualTo(100);
  }

  @Test
  void theBandwidthTableHasPerftestsColumns() {
    Cli cli = perf("write", "--size", "4096", "--iters", "500");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out().lines())
        .contains(
            " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]")
        .anyMatch(line -> line.matches(" 4096 +500 +[\\d.]+ +[\\d.]+ +\\d+\\.\\d{6} *"))
        .anyMatch(line -> line.contains("verified, all 500 messages"));
  }

  @Test
  void theTableHasDecimalPointsInAnyLocale() throws Exception {
    List<String> german = List.of("-Duser.language=de", "-Duser.country=DE");
    List<String> words =
        List.of("perf", "write", "--warm-up", "0", "--size", "4096", "--iters", "5000");
    try (CliProcess perf = new CliProcess(german, words)) {
      assertThat(perf.end()).as(perf.output()).isZero();
      assertThat(perf.output().lines())
          .anyMatch(line -> line.matches(" 4096 +5000 +[\\d.]+ +[\\d.]+ +\\d+\\.\\d{6} *"))
          .anyMatch(line -> line.contains("verified, all 5,000 messages"))
          .anyMatch(line -> line.matches(" Allocated +: [\\d]+\\.\\d{3} bytes per message.*"));
    }
  }

  @Test
  void aReportShowsTheLastRequestsOfEachMeasurement(@TempDir Path folder) throws IOException {
    Path report = folder.resolve("report.html");
    Cli cli = perf("write", "--size", "64", "--iters", "500", "--report", report.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.err()).contains("wrote the report " + report);
    assertThat(Files.readString(report))
        .contains("No request failed.", "soft, 64 bytes", "port_xmit_packets", "RDMA_WRITE");
  }

  @Test
  void theLatencyTableHasPerftestsColumns() {
    Cli cli = perf("write", "--latency", "--iters", "100");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out().lines())
        .contains(
            " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
                + "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] ")
        .anyMatch(line -> line.matches(" 2 +100( +\\d+\\.\\d{2}){7} *"));
  }

  @Test
  void bandwidthsMayBeInGigabits() {
    for (String option : List.of("--report_gbits", "--report-gbits")) {
      Cli cli = perf("write", "--size", "4096", "--iters", "500", option);
      assertThat(cli.exitCode()).as(cli.err()).isZero();
      assertThat(cli.out().lines())
          .contains(
              " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]");
      String[] row =
          cli.out()
              .lines()
              .filter(line -> line.startsWith(" 4096 "))
              .findFirst()
              .orElseThrow()
              .strip()
              .split(" +");
      double gigabits = Double.parseDouble(row[4]) * 1e6 * 4096 * 8 / 1e9;
      assertThat(Double.parseDouble(row[3])).isCloseTo(gigabits, within(5));
    }
  }

  @Test
  void theTimeOfEachMessageIsListedInEitherOrder() {
    Cli cli = perf("write", "--latency", "-H", "-U", "--iters", "100");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    List<String> lines = cli.out().lines().toList();
    int unsorted = lines.indexOf("#, usec");
    int sorted = lines.lastIndexOf("#, usec");
    assertThat(sorted).isEqualTo(unsorted + 101);
    List<Double> inOrder = times(lines.subList(unsorted + 1, sorted));
    List<Double> byLength = times(lines.subList(sorted + 1, sorted + 101));
    assertThat(byLength).isSorted().containsExactlyInAnyOrderElementsOf(inOrder);
    assertThat(lines.get(sorted + 101)).startsWith(" 2 ");
    assertThat(perf("write", "--latency", "-H").out()).contains("\n1000, ");
  }

  private static List<Double> times(List<String> lines) {
    List<Double> times = new ArrayList<>();
    for (String line : lines) {
      assertThat(line).startsWith("%d, ".formatted(times.size() + 1));
      times.add(Double.parseDouble(line.substring(line.indexOf(' '))));
    }
    return times;
  }

  @Test
  void moreThreadsThanProcessorsAreReported() {
    assertThat(Crowd.warning("soft", false, 2)).isEmpty();
    assertThat(Crowd.warning("soft:engine=poll", false, 1)).isEmpty();
    assertThat(Crowd.warning("faulty:NONE:1", false, 1)).isEmpty();
    assertThat(Crowd.warning("soft", false, 1))
        .hasValue(
            "2 threads (this one, the device's) share 1 processor, so the times include waits for a"
                + " processor: with --engine poll, one thread does all the work");
    assertThat(Crowd.warning("socket:/x", true, 2))
        .hasValue(
            "3 threads (this one, that of the other process, the device's) share 2 processors, so"
                + " the times include waits for a processor");
    assertThat(Crowd.warning("socket:/x", true, 3)).isEmpty();
  }

  @Test
  @Tag("slow")
  void allSizesAreOneLineEach() {
    Cli cli = perf("write", "--all", "--iters", "20", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.json().stream().map(line -> line.get("size").asInt()))
        .hasSize(23)
        .startsWith(2, 4, 8)
        .endsWith(1 << 22, 1 << 23);
  }

  @Test
  void bothDirectionsAndManyQueuePairsAreVerified() {
    Cli cli =
        perf(
            "send",
            "--size",
            "100",
            "--bidirectional",
            "--qp",
            "7",
            "--active",
            "5",
            "--iters",
            "1003",
            "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    JsonNode result = cli.json().getFirst();
    assertThat(result.get("iterations").asInt()).isEqualTo(1003);
    assertThat(result.get("queuePairs").asInt()).isEqualTo(7);
    assertThat(result.get("activeQueuePairs").asInt()).isEqualTo(5);
    assertThat(result.get("dataVerified").asBoolean()).isTrue();
  }

  @Test
  void aDurationLimitsTheRun() {
    Cli cli = perf("write", "--size", "8", "--duration", "0.05", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.json().getFirst().get("iterations").asLong()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "write --size 0",
        "write --all --size 8",
        "write --iters 5 --duration 1",
        "write --iters 0",
        "write --tx-depth 0",
        "write --cq-mod 0",
        "write --inline 2000",
        "write --qp 2 --active 3",
        "cas --size 16",
        "faa --all",
        "read --inline 8",
        "echo --bidirectional",
        "echo --qp 2",
        "write --latency --bidirectional",
        "write --latency --tx-depth 2",
        "write --report-histogram",
        "write --latency -H --duration 1",
        "write --latency -U --iters 4194305",
        "write --latency -H --json",
        "write --latency --report_gbits",
        "write --device soft:loss=x",
        "write --engine poll --device other",
        "read -c uc",
        "cas -c uc",
        "read -c ud",
        "write --connection UD",
        "write-imm -c ud",
        "echo -c ud",
        "send -c ud --size 4097",
        "send -c ud --inline 925",
        "send -c ud --device soft:loss=1%",
        "write -c uc --device soft:loss=1%",
        "write --srq",
        "write --port 7",
        "write --report any.html --server",
        "write-imm --srq",
        "send -c xrc --srq",
        "tag-send -c dc",
        "tag-send --inline 8",
        "masked-cas -c uc",
        "masked-faa --size 16",
        "send -c xyz",
        "frobnicate"
      })
  void optionsThatMakeNoSenseAreWrongUsage(String args) {
    Cli cli = perf(args.split(" "));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("bluebell: ").doesNotContain("\tat ");
    assertThat(cli.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--all", "--runs 2"})
  void severalMeasurementsAreNotWrittenToOneCapture(String words, @TempDir Path folder) {
    Path capture = folder.resolve("perf.pcap");
    Cli cli =
        perf(("write --iters 20 --device soft:pcap=%s %s".formatted(capture, words)).split(" "));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("the last would remain");
    assertThat(capture).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft:loss=1%", "soft:listen=127.77.0.12"})
  void unreliableConnectionsAreRefusedWhereMessagesMayGetLost(String device) {
    assertThat(perf("send", "-c", "ud", "--device", device).err())
        .contains("the network of this device may lose messages, which stay lost over ud");
  }

  @Test
  void aLatencyOfSeveralMinutesCountsAsOneMinute() {
    Timings timings = new Timings(0);
    timings.add(TimeUnit.MINUTES.toNanos(5));
    assertThat(timings.latency().p50()).isGreaterThanOrEqualTo(TimeUnit.MINUTES.toNanos(1));
  }

  @Test
  void anUnknownDeviceFailsBeforeAnythingIsPrinted() {
    Cli cli = perf("write", "--device", "nope");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err()).startsWith("bluebell: there is no device 'nope'");
  }
}
