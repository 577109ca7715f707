package dev.bluebell.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.stream.StreamSupport;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;

/** The page of a report is complete, and needs nothing else to be viewed. */
class ReportTest {
  private static final String HOSTILE =
      "</script><script>alert(1)</script><!-- ]]> \" onload='x' &amp; {{data}} $1 \\ \u001b[31m"
          + " \u2028";

  private static String page(String title, ReportedDevice... devices) {
    SequencedMap<String, String> facts = new LinkedHashMap<>();
    facts.put("Command", title);
    Report report = new Report(title, facts);
    List.of(devices).forEach(report::add);
    return new String(report.html(), StandardCharsets.UTF_8);
  }

  private static ReportedDevice device(String name, List<HcaHappening> record, String... said) {
    return new ReportedDevice(
        name,
        record,
        List.of(said),
        Map.of(PortCounter.PORT_XMIT_PACKETS, 3L),
        Map.of(PortCounter.PORT_XMIT_PACKETS, 10L, PortCounter.PORT_RCV_PACKETS, 0L));
  }

  private static Document parsed(String page) {
    Parser parser = Parser.htmlParser().setTrackErrors(100);
    Document document = Jsoup.parse(page, "", parser);
    assertThat(parser.getErrors()).isEmpty();
    return document;
  }

  private static JsonNode data(Document page) throws Exception {
    return new ObjectMapper().readTree(page.getElementById("data").data());
  }

  private static List<String> strings(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  @Test
  void aFailedRequestIsShownWithItsSentenceItsWrongFieldAndItsPage() {
    Document page = parsed(page("any", device("mlx5_0", Records.refused(), Records.WHY)));
    Element failure = page.selectFirst("#failures .failure");
    assertThat(failure.selectFirst("h3").text())
        .isEqualTo("REMOTE_ACCESS_ERR QP 0x40, WQE 0, at 2.000 µs");
    assertThat(failure.selectFirst(".why").text()).isEqualTo(Records.WHY);
    assertThat(failure.select("mark").eachText()).containsExactly("rkey=0x0000115b");
    assertThat(failure.text()).contains("2 more requests of this queue pair were flushed");
    assertThat(failure.select("details code").eachText())
        .contains("docs/failures/wrong-rkey.md", "docs/failures/README.md#remote_access_err");
    assertThat(failure.selectFirst("details").text())
        .contains("These files are in Bluebell's sources, and in the archive");
    assertThat(page.select(".failure")).hasSize(1);
    assertThat(page.selectFirst("header .bad").text()).startsWith("1 request failed.");
  }

  @Test
  void explanationsWithoutARequestAreListedAndThoseOfFailedRequestsAreNotRepeated() {
    String ofThePeer = Records.WHY.substring(Records.WHY.indexOf("QP 0x41"));
    Document page =
        parsed(
            page(
                "any",
                device(
                    "mlx5_0",
                    Records.refused(),
                    Records.WHY,
                    "flushed, because QP 0x40 is in ERR: " + Records.WHY,
                    ofThePeer,
                    "a doorbell of QP 0x40 for WQE 1 is lost")));
    assertThat(page.select(".remarks li").eachText())
        .containsExactly("a doorbell of QP 0x40 for WQE 1 is lost");
  }

  @Test
  void aFlushLeadsWithTheReasonForWhichItsQueuePairFailed() {
    String cause = Records.WHY.substring(Records.WHY.indexOf("QP 0x41"));
    int flush = CqeOpcode.RESP_ERR << 8 | Syndrome.WR_FLUSH_ERR;
    Document page =
        parsed(
            page(
                "any",
                device(
                    "mlx5_0",
                    List.of(
                        Records.happening(900, HcaHappening.STATE, 0x41, 0, QpState.ERR, cause),
                        Records.happening(1_000, HcaHappening.COMPLETED, 0x41, 4, flush, null),
                        Records.happening(1_000, HcaHappening.COMPLETED, 0x41, 5, flush, null)),
                    cause,
                    "flushed, because QP 0x41 is in ERR: " + cause)));
    Element failure = page.selectFirst("#failures .failure");
    assertThat(failure.selectFirst("h3").text())
        .isEqualTo("QP 0x41 went to ERR WR_FLUSH_ERR of WQE 4, at 0.100 µs");
    assertThat(failure.selectFirst(".why").text()).isEqualTo(cause);
    assertThat(failure.text()).contains("1 more request of this queue pair was flushed, too.");
    assertThat(failure.select("details")).as("causes that are not this one").isEmpty();
    assertThat(page.select(".remarks")).isEmpty();
  }

  @Test
  void aRefusalThatSaysLittleIsFollowedByTheWordsOfTheOtherEnd() {
    String refused = Records.WHY.replaceFirst("rkey 0x115b .*", "rkey 0x115b is not valid here");
    String otherEnd = Records.WHY.substring(Records.WHY.indexOf("QP 0x41"));
    List<HcaHappening> record =
        Records.refused().stream()
            .map(
                happening ->
                    happening.kind() == HcaHappening.EXPLAINED
                        ? Records.happening(
                            happening.nanos(), HcaHappening.EXPLAINED, 0x40, 0, 0, refused)
                        : happening)
            .toList();
    Document page = parsed(page("any", device("mlx5_0", record, refused, otherEnd)));
    assertThat(page.select(".failure .why").eachText())
        .containsExactly(refused, "At the other end: " + otherEnd);
    assertThat(page.select(".remarks")).isEmpty();
  }

  @Test
  void theDataHasAllEventsAndThoseOfEachRequest() throws Exception {
    JsonNode device = data(parsed(page("any", device("mlx5_0", Records.refused())))).get(0);
    assertThat(device.get("name").asText()).isEqualTo("mlx5_0");
    assertThat(strings(device.get("queuePairs"))).containsExactly("64");
    assertThat(strings(device.at("/events/ns")))
        .containsExactly("0", "200", "250", "300", "2000", "2000", "2010", "2010");
    assertThat(strings(device.at("/requests/doorbell"))).containsExactly("0", "0", "0");
    assertThat(strings(device.at("/requests/fetch"))).containsExactly("1", "2", "3");
    assertThat(strings(device.at("/requests/completion"))).containsExactly("5", "6", "7");
    assertThat(strings(device.at("/requests/failed"))).containsExactly("1", "2", "2");
    assertThat(strings(device.at("/events/error")))
        .containsExactly("0", "0", "0", "0", "0", "1", "2", "2");
    List<String> lines = strings(device.get("lines"));
    assertThat(lines.get(device.at("/why/0/1").asInt())).isEqualTo(Records.WHY);
    assertThat(lines).doesNotHaveDuplicates();
    StringBuilder wqe = new StringBuilder();
    device.at("/events/text/4").forEach(line -> wqe.append(lines.get(line.asInt())).append('\n'));
    assertThat(wqe).hasToString(Records.WQE);
  }

  @Test
  void textsAreEscapedOnThePage() throws Exception {
    List<HcaHappening> record = new ArrayList<>(Records.refused());
    record.add(Records.happening(4_000, HcaHappening.DROPPED, 0x40, 0, 0, HOSTILE));
    record.add(Records.happening(0, HcaHappening.CONNECTED, 0x42, 0, 0x43, "RC " + HOSTILE));
    Document page = parsed(page(HOSTILE, device(HOSTILE, record, HOSTILE)));
    assertThat(page.select("script")).hasSize(3);
    assertThat(page.getAllElements())
        .flatExtracting(element -> element.attributes().asList())
        .extracting(Attribute::getKey)
        .noneMatch(name -> name.startsWith("on"));
    String shown = HOSTILE.replace('\u001b', '\uFFFD');
    assertThat(page.title()).startsWith("</script>").contains("{{data}}");
    assertThat(page.selectFirst("h1").wholeText()).isEqualTo(shown);
    assertThat(page.selectFirst(".remarks li").wholeText()).isEqualTo(shown);
    assertThat(page.selectFirst("svg .name").wholeText()).isEqualTo(shown);
    assertThat(data(page).get(0).get("name").asText()).isEqualTo(HOSTILE);
  }

  @Test
  void nothingIsLoadedFromElsewhere() {
    Document page = parsed(page("any", device("mlx5_0", Records.refused())));
    assertThat(page.select("[src], [srcset], [data], link, iframe, object, embed, img, form"))
        .isEmpty();
    assertThat(page.selectFirst("meta[http-equiv=Content-Security-Policy]").attr("content"))
        .startsWith("default-src 'none';");
    assertThat(page.select("style").eachText()).noneMatch(style -> style.contains("url("));
    assertThat(page.select("style").eachText()).noneMatch(style -> style.contains("@import"));
  }

  @Test
  void theLicenceOfTheChartingLibraryIsOnThePage() {
    assertThat(page("any")).contains("The MIT License (MIT)", "Leon Sorokin", "uPlot=");
  }

  @Test
  void countersThatAreNotZeroAreShownWithTheirRise() {
    Document page = parsed(page("any", device("mlx5_0", List.of())));
    assertThat(page.select(".counters tr").eachText())
        .containsExactly("counter rose by now", "port_xmit_packets 7 10");
    Document unknown =
        parsed(page("any", new ReportedDevice("gone", List.of(), List.of(), Map.of(), Map.of())));
    assertThat(unknown.getElementById("counters").text()).contains("gone are not known");
  }

  @Test
  void connectedQueuePairsAreDrawnOnceWithTheirRequests() {
    List<HcaHappening> record = new ArrayList<>(Records.refused());
    record.add(Records.happening(0, HcaHappening.CONNECTED, 0x50, 0, 0x60, "UC fe80::1"));
    record.add(Records.happening(0, HcaHappening.CONNECTED, 0x51, 1, 0x61, "RC fe80::1"));
    record.add(Records.happening(5_000, HcaHappening.STATE, 0x52, 0, 1, null));
    Document page = parsed(page("any", device("mlx5_0", record)));
    assertThat(page.select("svg.connections text").eachText())
        .containsExactly(
            "mlx5_0",
            "QP 0x40",
            "3 requests, 1 failed",
            "RC",
            "QP 0x41",
            "0 requests",
            "QP 0x51",
            "0 requests",
            "RC",
            "QP 0x61",
            "of another application",
            "QP 0x50",
            "0 requests",
            "UC fe80::1",
            "QP 0x60",
            "on another device",
            "QP 0x52",
            "0 requests");
    assertThat(page.select("svg .failed")).hasSize(1);
  }

  @Test
  void aRecordThatLostEntriesSaysSoAndThatRequestsAreCountedInIt() {
    List<HcaHappening> record = new ArrayList<>(Records.refused());
    record.add(Records.happening(500, HcaHappening.OVERWRITTEN, 4096, 0, 0, null));
    Document page = parsed(page("any", device("mlx5_0", record)));
    assertThat(page.selectFirst("header").text())
        .contains(
            "mlx5_0: older entries are lost, because the flight record has room for 4,096; the"
                + " device option recorder=65536 keeps more. Requests are counted in the record,"
                + " not in the whole run.");
    assertThat(page.select("svg.connections text.work").eachText())
        .containsExactly("3 recorded, 1 failed", "0 recorded");
    assertThat(parsed(page("any", device("mlx5_0", Records.refused()))).text())
        .doesNotContain("recorder=");
  }

  @Test
  void aReceiveThatFailedIsCountedAtItsQueuePair() {
    int detail = CqeOpcode.RESP_ERR << 8 | Syndrome.LOCAL_LENGTH_ERR;
    Document page =
        parsed(
            page(
                "any",
                device(
                    "mlx5_0",
                    List.of(Records.happening(1, HcaHappening.COMPLETED, 0x41, 0, detail, null)))));
    assertThat(page.select("svg.connections text").eachText())
        .containsExactly("mlx5_0", "QP 0x41", "0 requests, 1 failed");
    assertThat(page.select("svg .failed")).hasSize(1);
  }

  @Test
  void devicesWithoutFailuresAreNotUnderTheHeadingForFailures() {
    List<HcaHappening> quiet =
        List.of(Records.happening(1, HcaHappening.DOORBELL, 0x40, 1, 0, null));
    Document good = parsed(page("any", device("mlx5_0", quiet), device("mlx5_1", quiet)));
    assertThat(good.getElementById("failures").text()).isEmpty();
    Document bad =
        parsed(page("any", device("mlx5_0", quiet), device("mlx5_1", Records.refused())));
    assertThat(bad.select("#failures h3.device").eachText()).containsExactly("mlx5_1");
  }

  @Test
  void queuePairsThatAreConnectedInARingAreAllDrawn() {
    List<HcaHappening> record = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      record.add(
          Records.happening(0, HcaHappening.CONNECTED, 0x40 + i, 1, 0x40 + (i + 1) % 3, "RC"));
    }
    assertThat(parsed(page("any", device("mlx5_0", record))).select("svg .line")).hasSize(3);
  }

  @Test
  void anEmptyRecordDoesNotSayThatNoRequestFailed() {
    assertThat(parsed(page("any", device("mlx5_0", List.of()))).selectFirst("header").text())
        .contains("The flight record is empty")
        .doesNotContain("failed");
  }

  @Test
  void aFlushWithoutAFailureAndAnExplanationAloneAreNeitherGoodNorBad() {
    List<HcaHappening> flushed = new ArrayList<>();
    for (int index = 0; index < 2; index++) {
      flushed.add(Records.happening(0, HcaHappening.FETCHED, 0x40, index, WqeOpcode.SEND, null));
      int detail = CqeOpcode.REQ_ERR << 8 | Syndrome.WR_FLUSH_ERR;
      flushed.add(Records.happening(1, HcaHappening.COMPLETED, 0x40, index, detail, null));
    }
    Document page = parsed(page("any", device("mlx5_0", flushed)));
    assertThat(page.select("svg .failed")).isEmpty();
    assertThat(page.select("#failures").text())
        .contains("1 more request of this queue pair was flushed, too.");
    Element header = page.selectFirst("header");
    assertThat(header.text()).contains("No request failed, but 2 were flushed.");
    assertThat(header.select(".good, .bad")).isEmpty();
    List<HcaHappening> quiet =
        List.of(Records.happening(1, HcaHappening.DOORBELL, 0x40, 1, 0, null));
    Document dead = parsed(page("any", device("mlx5_0", quiet, "the device is dead")));
    assertThat(dead.selectFirst("header").text()).contains("see what else was reported");
    assertThat(dead.select("header .good, header .bad")).isEmpty();
  }

  @Test
  void anyRecordGivesAPage() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int run = 0; run < 50; run++) {
      List<HcaHappening> record = new ArrayList<>();
      for (int i = random.nextInt(60); i > 0; i--) {
        record.add(
            Records.happening(
                random.nextInt(20),
                random.nextInt(20),
                random.nextInt(4),
                random.nextInt(4),
                random.nextBoolean() ? random.nextInt(4) : random.nextInt(1 << 24),
                random.nextInt(4) == 0 ? Records.WQE : null));
      }
      try {
        assertThat(data(parsed(page("any", device("any", record))))).hasSize(1);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + record, e);
      }
    }
  }
}
