package dev.bluebell.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Cli;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The formats of a flight record work for any contents. */
class TraceFormatTest {
  @TempDir private Path directory;
  private final List<HcaHappening> record = new ArrayList<>();

  private TraceFormatTest add(long nanos, int kind, int qpn, int index, int detail) {
    record.add(new HcaHappening(nanos, kind, qpn, index, detail, null));
    return this;
  }

  private TraceFormatTest fetched(long nanos, int index) {
    return add(nanos, HcaHappening.FETCHED, 0x40, index, WqeOpcode.SEND);
  }

  /** A run of 1000 requests: its completion queue overruns at the end, 50 ms before it closes. */
  @Test
  void thePictureOfALongRunShowsTheOverrunThatItEndedWith() {
    for (int i = 0; i < 1000; i++) {
      add(100L * i, HcaHappening.DOORBELL, 0x40, i + 1, 0);
      fetched(100L * i + 20, i);
      add(100L * i + 50, HcaHappening.COMPLETED, 0x40, i, CqeOpcode.REQ << 8);
    }
    add(100_100, HcaHappening.EVENT, 0x7, 0, HcaEvent.CQ_ERROR);
    add(50_100_000, HcaHappening.STATE, 0x40, 0, 0);
    String picture = picture();
    assertThat(picture)
        .contains(
            "requests 953 to 1000 of 1000", "CQ 0x7 overrun", "CQ 0x7 was overrun: a completion")
        // The pause is marked with its length.
        .contains(">50 ms<");
    // The time before the pause takes the remaining width.
    assertThat(x(picture, "CQ 0x7 overrun")).isBetween(800.0, 900.0);
  }

  /** Two requests of 2 µs, half an hour apart: the pause has more ticks than an int counts. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPauseMayBeBillionsOfTimesLongerThanTheRequestsAroundIt() {
    long pause = TimeUnit.MINUTES.toNanos(30);
    for (int i = 0; i < 2; i++) {
      add(pause * i, HcaHappening.DOORBELL, 0x40, i + 1, 0);
      fetched(pause * i + 500, i);
      add(pause * i + 2_000, HcaHappening.COMPLETED, 0x40, i, CqeOpcode.REQ << 8);
    }
    String picture = picture();
    assertThat(picture).contains(">1800.0 s<", "2 requests in 1800000002 µs");
    assertThat(x(picture, "1800000001")).isGreaterThan(x(picture, "1800.0 s"));
  }

  /**
   * QP 0x40 rings once for 60 requests, of which the first 22 are before the 48 of the picture.
   * Then another queue pair rings, and the 40th request of QP 0x40 fails.
   */
  @Test
  void aRequestWhoseDoorbellIsOlderThanThePictureHasNoArrowFromIt() {
    int failing = 39;
    add(1, HcaHappening.DOORBELL, 0x40, 60, 0);
    for (int i = 0; i < 22; i++) {
      fetched(10 + i, i);
    }
    add(40, HcaHappening.DOORBELL, 0x41, 30, 0);
    for (int i = 0; i < 30; i++) {
      add(41 + i, HcaHappening.FETCHED, 0x41, i, WqeOpcode.SEND);
    }
    for (int i = 22; i <= failing; i++) {
      fetched(50 + i, i);
    }
    int failure = CqeOpcode.REQ_ERR << 8 | Syndrome.REMOTE_ACCESS_ERR;
    add(100, HcaHappening.COMPLETED, 0x40, failing, failure);
    assertThat(picture()).contains("requests 23 to 70 of 70", "QP 0x40", "QP 0x41");
  }

  @Test
  void labelsOfOneRowDoNotCoverEachOther() {
    for (int i = 0; i < 20; i++) {
      add(10L * i, HcaHappening.DOORBELL, 0x40, i + 1, 0);
    }
    add(2_000, HcaHappening.DOORBELL, 0x40, 21, 0);
    Matcher labels =
        Pattern.compile(
                "<text x=\"([0-9.]+)\" [^>]*font-size=\"10\" text-anchor=\"start\"[^>]*>([0-9.]+)<")
            .matcher(picture());
    double free = 0;
    int count = 0;
    while (labels.find()) {
      double from = Double.parseDouble(labels.group(1));
      assertThat(from).isGreaterThanOrEqualTo(free);
      free = from + labels.group(2).length() * 5.9;
      count++;
    }
    assertThat(count).isBetween(1, 20);
  }

  @Test
  void theTitleOfAPictureIsTheOneThatIsGiven() {
    fetched(0, 0);
    assertThat(picture()).contains("<title>any</title>", ">any</text>");
  }

  @Test
  void aFlushedRequestIsPalerThanTheOneThatFailed() {
    for (int i = 0; i < 3; i++) {
      fetched(i, i);
    }
    add(500, HcaHappening.COMPLETED, 0x40, 0, CqeOpcode.REQ_ERR << 8 | Syndrome.REMOTE_ACCESS_ERR);
    for (int i = 1; i < 3; i++) {
      add(600, HcaHappening.COMPLETED, 0x40, i, CqeOpcode.REQ_ERR << 8 | Syndrome.WR_FLUSH_ERR);
    }
    String picture = picture();
    assertThat(picture.split("<rect [^>]*#c62828")).hasSize(2);
    assertThat(picture.split("<rect [^>]*#e57373")).hasSize(3);
  }

  /** A bar of 105 px: "WQE 3 RDMA_WRITE" would begin at 5 px and take 107 px. */
  @Test
  void aNameThatIsWiderThanItsBarIsShortened() {
    add(0, HcaHappening.FETCHED, 0x40, 3, WqeOpcode.RDMA_WRITE);
    add(105, HcaHappening.COMPLETED, 0x40, 3, CqeOpcode.REQ << 8);
    add(708, HcaHappening.DOORBELL, 0x40, 4, 0);
    assertThat(picture()).contains(">3 RDMA_WRITE<").doesNotContain("WQE 3 RDMA_WRITE");
  }

  @Test
  void theLegendHasAllMarks() {
    add(0, HcaHappening.STATE, 0x40, 0, 1);
    assertThat(picture()).contains("▮ other events", ">other events<");
  }

  private String picture() {
    return new String(TraceFormat.SVG.write(record, "any"), StandardCharsets.UTF_8);
  }

  private static double x(String picture, String text) {
    Matcher found = Pattern.compile("<text x=\"([0-9.]+)\"[^>]*>" + text + "<").matcher(picture);
    assertThat(found.find()).as(text).isTrue();
    return Double.parseDouble(found.group(1));
  }

  @Test
  void anyRecordGivesATraceAPictureAndLines() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int run = 0; run < 50; run++) {
      record.clear();
      long nanos = 0;
      for (int i = random.nextInt(60); i > 0; i--) {
        nanos += random.nextInt(3);
        add(
            random.nextInt(20) == 0 ? 0 : nanos,
            random.nextInt(19),
            random.nextInt(4),
            random.nextInt(4),
            random.nextBoolean() ? random.nextInt(4) : random.nextInt(1 << 24));
      }
      try {
        DecodedTrace unused = new DecodedTrace(TraceFormat.PERFETTO.write(record, "any"));
        assertThat(TraceFormat.SVG.write(record, "any")).isNotEmpty();
        assertThat(TraceFormat.JSON_LINES.write(record, "any")).isNotNull();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + record, e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void decodeSaysThatAFileIsATraceAndWhatOpensIt(TraceFormat format) throws IOException {
    add(1_000, HcaHappening.DOORBELL, 0x40, 1, 0).fetched(2_000, 0);
    Path file = directory.resolve("renamed");
    Files.write(file, format.write(record, "any"));
    Cli cli = Cli.run("decode", file.toString());
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err())
        .contains(
            "this is a trace of 'bluebell trace' or 'bluebell run --trace' %s: %s"
                .formatted(format, format.opener()));
  }

  @Test
  void theExtensionOfAFileDeterminesItsFormat() {
    assertThat(TraceFormat.of(Path.of("a.pftrace"))).isEqualTo(TraceFormat.PERFETTO);
    assertThat(TraceFormat.of(Path.of("b/a.jsonl"))).isEqualTo(TraceFormat.JSON_LINES);
    assertThat(TraceFormat.of(Path.of("a.svg"))).isEqualTo(TraceFormat.SVG);
    assertThat(TraceFormat.of(Path.of("trace.txt"))).isEqualTo(TraceFormat.TEXT);
  }
}
