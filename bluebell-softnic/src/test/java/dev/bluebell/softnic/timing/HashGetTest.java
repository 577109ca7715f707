package dev.bluebell.softnic.timing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.Timing;
import dev.bluebell.softnic.Timing.Constant;
import dev.bluebell.softnic.rig.Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** The hash get of the paper, in virtual time. */
class HashGetTest {
  private static final double NANOS_PER_MICRO = 1_000;
  private static final int SMALL = 64;

  /** What the paper says of a value of so many bytes, in microseconds. */
  private record Paper(String value, int bytes, double read, double get) {}

  private static final List<Paper> PAPER =
      List.of(
          new Paper("64 B", SMALL, 4.34, 5.61),
          new Paper("1 KiB", 1 << 10, 4.80, 5.21),
          new Paper("4 KiB", 4 << 10, 5.18, 6.32),
          new Paper("16 KiB", 16 << 10, 8.22, 10.2),
          new Paper("64 KiB", 64 << 10, 15.4, 16.2));

  private static long predict(int bytes, ToLongFunction<HashGet> what) {
    return predict(Timing.CONNECTX5, bytes, what);
  }

  private static long predict(Timing timing, int bytes, ToLongFunction<HashGet> what) {
    try (Rig rig = Rigs.open(timing)) {
      return what.applyAsLong(new HashGet(rig, bytes));
    }
  }

  private static String row(Paper paper) {
    double read = predict(paper.bytes, HashGet::read) / NANOS_PER_MICRO;
    double get = predict(paper.bytes, hash -> hash.get(0)) / NANOS_PER_MICRO;
    double above = paper.read + get - read;
    return String.format(
        Locale.ROOT,
        "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |",
        paper.value,
        paper.read,
        read,
        read / paper.read,
        paper.get,
        get,
        get / paper.get,
        above,
        above / paper.get);
  }

  @Test
  void theTableOfTheDocumentIsWhatTheDevicePredicts() throws IOException {
    List<String> document =
        Files.readAllLines(
            Path.of(System.getProperty("basedir", "")).resolve("../docs/nic-programs.md"));
    assertThat(document).containsSubsequence(PAPER.stream().map(HashGetTest::row).toList());
  }

  @Test
  void aGetIsTheSumOfItsParts() {
    long there = 1060 + 110 + 310;
    long probe = 4 + 497 + 540 + 450;
    // The CAS follows 16 bytes of the READ on the way.
    long behind = 1;
    long back = 4 + 497 + 310 + 110;
    assertThat(predict(SMALL, hash -> hash.get(0))).isEqualTo(there + probe + behind + back);
  }

  @Test
  void sixteenWritersSlowAGetAsLittleAsOne() {
    double one = predict(SMALL, hash -> hash.get(1));
    double sixteen = predict(SMALL, hash -> hash.get(16));
    assertThat(sixteen / one / (5.7 / 5.4)).isBetween(0.85, 1.15);
  }

  @Test
  void aSlowerFetchCostsAGetTwice() {
    long before = predict(SMALL, hash -> hash.get(0));
    Timing slower = Timing.CONNECTX5.with(Constant.DOORBELL_ORDER, 601);
    assertThat(predict(slower, SMALL, hash -> hash.get(0))).isEqualTo(before + 200);
    assertThat(predict(slower, SMALL, HashGet::read)).isEqualTo(predict(SMALL, HashGet::read));
  }
}
