package dev.bluebell.cli.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** trace shows what the device did, in every format of the command. */
class TraceCommandTest {
  @TempDir private Path folder;

  private DecodedTrace trace(String... arguments) throws IOException {
    Path file = folder.resolve("trace.pftrace");
    List<String> line = new ArrayList<>(List.of("trace", "-o", file.toString()));
    line.addAll(List.of(arguments));
    Cli cli = Cli.run(line.toArray(String[]::new));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    return new DecodedTrace(Files.readAllBytes(file));
  }

  @ParameterizedTest
  @EnumSource
  void eachFlowBeginsAndEndsAndTimeRises(Scene scene) throws IOException {
    check(trace(scene.toString(), "--count", "3"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft:engine=poll", "soft"})
  void realTimeIsTracedToo(String device) throws IOException {
    check(trace("write", "--device", device, "--count", "20", "--size", "10k"));
  }

  private static void check(DecodedTrace trace) {
    long last = 0;
    Map<Long, Integer> flows = new HashMap<>();
    Map<Long, Boolean> ended = new HashMap<>();
    Map<Long, Integer> depth = new HashMap<>();
    for (DecodedTrace.Event event : trace.events()) {
      assertThat(event.nanos()).isGreaterThanOrEqualTo(last);
      last = event.nanos();
      assertThat(trace.tracks()).containsKey(event.track());
      for (long flow : event.flows()) {
        assertThat(ended).as("flow %d", flow).doesNotContainKey(flow);
        flows.merge(flow, 1, Integer::sum);
      }
      for (long flow : event.lastFlows()) {
        assertThat(flows).as("a flow does not begin with its end").containsKey(flow);
        assertThat(ended.put(flow, true)).as("flow %d ends once", flow).isNull();
      }
      int change =
          switch (event.type()) {
            case "TYPE_SLICE_BEGIN" -> 1;
            case "TYPE_SLICE_END" -> -1;
            default -> 0;
          };
      assertThat(depth.merge(event.track(), change, Integer::sum))
          .as("slices of a row do not overlap: %s", event)
          .isBetween(0, 1);
    }
    assertThat(flows.keySet()).isNotEmpty().isEqualTo(ended.keySet());
    assertThat(depth.values()).as("each slice ends").containsOnly(0);
    assertThat(trace.events("TYPE_SLICE_BEGIN")).hasSameSizeAs(flows.keySet());
  }

  @Test
  void eachFileThatIsWrittenIsNamedWithWhatIsInIt() throws IOException {
    Path picture = folder.resolve("trace.svg");
    Path report = folder.resolve("report.html");
    Cli cli =
        Cli.run("trace", "refused", "--svg", picture.toString(), "--report", report.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err().lines())
        .containsExactly(
            "bluebell: wrote the trace %s: 2 requests of 'bluebell trace refused', as a picture (2 requests)"
                .formatted(picture),
            "bluebell: wrote the report %s: the flight record of 1 device; open it in a browser"
                .formatted(report));
    assertThat(Files.readString(report))
        .contains("<mark>rkey=0x", "<dd>bluebell trace refused</dd>", "QP 0x41");
  }

  @Test
  void aPictureOfSomeOfTheRequestsIsAnnouncedAsSuch() {
    Cli cli = Cli.run("trace", "-n", "60", "--svg", folder.resolve("trace.svg").toString());
    assertThat(cli.err())
        .endsWith(
            ": 120 requests of 'bluebell trace echo', as a picture (requests 1 to 48 of 120)\n");
  }

  @ParameterizedTest
  @CsvSource({"a.pftrace, PERFETTO", "a.svg, SVG", "a.jsonl, JSON_LINES", "a.txt, TEXT"})
  void theExtensionOfTheOutputDeterminesItsFormat(String name, TraceFormat format)
      throws IOException {
    Path file = folder.resolve(name);
    Cli cli = Cli.run("trace", "-o", file.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.err()).contains(", %s".formatted(format));
    String contents = new String(Files.readAllBytes(file), ISO_8859_1);
    assertThat(TraceFormat.ofContents(contents)).contains(format);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soft", "soft:engine=poll,loss=5,seed=1"})
  void thePacketsOfAnyFabricAreWrittenToAFile(String device) {
    Path packets = folder.resolve("write.pcap");
    List<String> line =
        new ArrayList<>(List.of("trace", "write", "--count", "3", "--pcap", packets.toString()));
    if (!device.isEmpty()) {
      line.addAll(List.of("--device", device));
    }
    Cli cli = Cli.run(line.toArray(String[]::new));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.err()).startsWith("bluebell: wrote the capture " + packets);
    Cli decoded = Cli.run("decode", packets.toString());
    assertThat(decoded.exitCode()).as(decoded.err()).isZero();
    assertThat(decoded.out()).contains("RC_WRITE_ONLY").contains("RC_ACKNOWLEDGE");
  }

  @Test
  void aCommaInTheNameOfACaptureIsWrongUsage() {
    Cli cli = Cli.run("trace", "--pcap", "a,b.pcap");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("a,b.pcap has a comma");
  }

  @Test
  void pcapIsRefusedForADeviceProcess() {
    Cli cli = Cli.run("trace", "--pcap", "x.pcap", "--device", "socket:/tmp/none");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("start the device process of socket:/tmp/none with --device");
  }

  @Test
  void theFlowOfASendLeadsFromItsDoorbellThroughItsReceiverToItsCompletion() throws IOException {
    DecodedTrace trace = trace("echo", "--count", "1");
    List<String> way = new ArrayList<>();
    for (DecodedTrace.Event event : trace.events()) {
      if (event.flows().contains(1L) || event.lastFlows().contains(1L)) {
        way.add(trace.tracks().get(event.track()) + ": " + event.name());
      }
    }
    assertThat(way)
        .containsExactly(
            "QP 0x40: doorbell",
            "send queue: WQE 0 SEND",
            "QP 0x41: delivered",
            "QP 0x41: CQE RESP_SEND",
            "QP 0x40: CQE REQ");
    List<DecodedTrace.Event> counts = trace.events("TYPE_COUNTER");
    assertThat(counts).extracting(DecodedTrace.Event::value).containsOnly(0L, 1L);
    assertThat(counts.getLast().value()).isZero();
  }

  @Test
  void anErrorHasItsExplanationAndFlushedRequestsHaveThatOfTheirCause() throws IOException {
    DecodedTrace trace = trace("refused", "--count", "3");
    List<DecodedTrace.Event> requests = trace.events("TYPE_SLICE_BEGIN");
    assertThat(requests).isNotEmpty();
    assertThat(requests.getFirst().notes().get("explanation"))
        .asString()
        .contains("rkey 0x")
        .contains("WQE 0");
    assertThat(trace.events("TYPE_INSTANT"))
        .filteredOn(event -> event.name().startsWith("CQE "))
        .extracting(DecodedTrace.Event::name)
        .containsExactly("CQE REMOTE_ACCESS_ERR", "CQE WR_FLUSH_ERR", "CQE WR_FLUSH_ERR");
    assertThat(trace.events("TYPE_INSTANT"))
        .filteredOn(event -> event.name().startsWith("CQE "))
        .allMatch(event -> event.notes().get("explanation").toString().contains("rkey 0x"));
  }

  @ParameterizedTest
  @CsvSource({
    "echo, soft, remote-access@1",
    "echo, soft, remote-access@2",
    "echo, 'soft:identity=1', remote-access@1:0x41",
    "echo, 'soft:engine=poll,identity=1', remote-access@1:0x41",
    "send, soft, remote-access@1",
    "write, soft, remote-access@1",
    "write, soft:engine=poll, remote-access@1",
    "read, soft, remote-access@1",
    "rnr, soft, remote-access@1",
    "rnr, soft:engine=poll, remote-access@1"
  })
  @Timeout(20)
  void aRequestThatFailsBecauseOfAnInjectedFaultIsShownWithItsExplanation(
      String scene, String device, String fault) {
    String faulty = device + (device.contains(":") ? "," : ":") + "fail=" + fault;
    Cli cli = Cli.run("trace", scene, "--count", "3", "--device", faulty);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("injected fault");
  }

  @Test
  void aReceiverThatIsNotReadyIsInTheTrace() throws IOException {
    assertThat(trace("rnr").events("TYPE_INSTANT"))
        .extracting(DecodedTrace.Event::name)
        .containsSubsequence("RNR NAK", "delivered");
  }

  @Test
  void severalSendsMayFindNoReceive() throws IOException {
    assertThat(trace("rnr", "--count", "3").events("TYPE_SLICE_BEGIN")).hasSize(3);
  }

  @Test
  void wholeRequestsAndCompletionsAreInTheTrace() throws IOException {
    DecodedTrace trace = trace("write");
    assertThat(trace.events("TYPE_SLICE_BEGIN").getFirst().notes().get("WQE"))
        .asString()
        .contains("opcode=RDMA_WRITE");
    assertThat(trace.events("TYPE_INSTANT"))
        .filteredOn(event -> event.name().startsWith("CQE"))
        .allMatch(event -> event.notes().get("bytes").toString().startsWith("cqe {"));
  }

  @Test
  void requestsThatAreUnderWayTogetherHaveRowsOfTheirOwn() throws IOException {
    DecodedTrace trace = trace("send", "--count", "4");
    TreeSet<Long> rows = new TreeSet<>();
    trace.events("TYPE_SLICE_BEGIN").forEach(event -> rows.add(event.track()));
    assertThat(rows).hasSize(4);
    assertThat(trace.events("TYPE_COUNTER"))
        .extracting(DecodedTrace.Event::value)
        .contains(4L)
        .endsWith(0L);
  }

  @Test
  void eachEventIsAJsonObject() {
    Cli cli = Cli.run("trace", "refused", "--count", "1", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    List<JsonNode> all = cli.json();
    assertThat(all)
        .extracting(each -> each.get("event").asText())
        .containsSubsequence("doorbell", "fetched", "NAK", "completed");
    JsonNode completed =
        all.stream()
            .filter(each -> each.get("event").asText().equals("completed"))
            .findFirst()
            .orElseThrow();
    assertThat(completed.get("explanation").asText()).contains("rkey 0x");
    assertThat(completed.get("requests").get(0).asInt()).isEqualTo(1);
    assertThat(completed.get("qpn").asInt()).isEqualTo(0x40);
  }

  @Test
  void withoutAnOptionThereIsALineForEachRequest() {
    Cli cli = Cli.run("trace", "echo", "--count", "1");
    assertThat(cli.out().lines()).hasSize(2);
    assertThat(cli.out())
        .contains("QP 0x40 WQE 0 SEND: doorbell 0.000, fetched 1.060, executed by QP 0x41 ")
        .contains(", CQE of QP 0x41 ")
        .contains(", CQE of QP 0x40 ");
    assertThat(Cli.run("trace", "echo", "--count", "1").out())
        .as("the same each time")
        .isEqualTo(cli.out());
  }

  @Test
  void thePictureOfTheReadmeIsTheOutputOfTheCommand() throws IOException {
    Path picture = folder.resolve("trace.svg");
    assertThat(Cli.run("trace", "echo", "--svg", picture.toString()).exitCode()).isZero();
    Path readme = Path.of("../docs/images/trace.svg");
    assertThat(Files.readString(picture))
        .as("regenerate it: ./bluebell trace echo --svg docs/images/trace.svg")
        .isEqualTo(Files.readString(readme));
    assertThat(Files.readString(Path.of("../README.md")))
        .contains("./bluebell trace echo --svg docs/images/trace.svg")
        .contains("docs/images/trace.svg)");
  }

  @Test
  void aPictureOfAnErrorSaysWhy() throws IOException {
    Path picture = folder.resolve("refused.svg");
    assertThat(Cli.run("trace", "refused", "--svg", picture.toString()).exitCode()).isZero();
    assertThat(Files.readString(picture)).contains("rkey 0x").doesNotContain("NaN");
  }

  @Test
  void wrongNumbersAreWrongUsage() {
    assertThat(Cli.run("trace", "--count", "0").exitCode()).isEqualTo(2);
    assertThat(Cli.run("trace", "--count", "65").exitCode()).isEqualTo(2);
    assertThat(Cli.run("trace", "--size", "0").exitCode()).isEqualTo(2);
    assertThat(Cli.run("trace", "--wait", "0").exitCode()).isEqualTo(2);
    Cli cli = Cli.run("trace", "ecco");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("choose one of echo, send, write, read, refused, rnr");
  }

  @Test
  void theChainOfAnExampleHasTheQueuesOfBothEnds() {
    String file = folder.resolve("send.chain").toString();
    Cli cli = Cli.run("trace", "send", "-n", "1", "-o", file);
    assertThat(cli.err()).endsWith("as a chain for 'bluebell program verify' (2 queues)\n");
    Cli verified = Cli.run("program", "verify", file);
    assertThat(verified.err()).isEmpty();
    assertThat(verified.out()).startsWith("proved: ");
  }

  @Test
  void aFileThatCantBeWrittenIsNamed() {
    String file = folder.resolve("missing/trace.pftrace").toString();
    Cli cli = Cli.run("trace", "-o", file);
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("the trace can't be written to " + file);
  }
}
