package dev.bluebell.cli.paste;

import dev.bluebell.cli.Cli;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Even malicious text gets an answer, or an error of one sentence. */
class HostilePasteTest {
  private static final int ROUNDS = 3000;

  private static final List<String> SCRAPS =
      List.of(
          "00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
          "00000010  00 00 00 00 00 00 88 13  08 03 61 b3 1e a1 42 d3  |..........a...B.|",
          "0000020 0000 0000 0000 1388 0803 61b3 1ea1 42d3",
          "0000060 000000 000000 000000 011610",
          "00000000 00008813 080361b3 1ea142d3",
          "0x7ffff7fbd000 <ring>:\t0x00000000\t0x13880000",
          "mlx5: host: got completion with error:",
          "[1.1] infiniband mlx5_0: dump_cqe:272:(pid 0): dump error cqe",
          "WQE DUMP: WQ size 1024",
          "(synd 0x4 vend 0x32 hw_synd 0/146)",
          "NCCL WARN NET/IB : Got completion with error 4, opcode 1, len 1, vendor err 81",
          "*",
          "0000100",
          "ffffffffffffffff",
          "",
          "> ",
          "|",
          "a: b",
          "+ ",
          "stderr F 00000000 00008813 080361b3 1ea142d3",
          "mlx5_core: CREATE_CQ(0x400) No done completion",
          "async event: local access violation work queue error=",
          "ibv_reg_mr(addr=0x7f0) failed: Bad address",
          "poll_health: Fatal error 3 detected",
          "AER: Uncorrected (Non-Fatal) error received: 0000:3b:00.0");

  private static String hostile(Random random) {
    StringBuilder text = new StringBuilder();
    int lines = random.nextInt(12);
    for (int i = 0; i < lines; i++) {
      StringBuilder line = new StringBuilder(SCRAPS.get(random.nextInt(SCRAPS.size())));
      for (int j = random.nextInt(4); j > 0 && !line.isEmpty(); j--) {
        int at = random.nextInt(line.length());
        switch (random.nextInt(4)) {
          case 0 -> line.setCharAt(at, (char) random.nextInt(0x250));
          case 1 -> line.deleteCharAt(at);
          case 2 -> line.insert(at, " \t:|<>*0fF\u0000x".charAt(random.nextInt(12)));
          default -> line.setLength(at);
        }
      }
      text.append(line).append(random.nextInt(10) == 0 ? "\r\n" : "\n");
    }
    return text.toString();
  }

  @Test
  void anyTextIsReadOrRefusedInASentence() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      String text = hostile(new Random(seed));
      try {
        Assertions.assertThat(PasteReader.read(text).leftOut()).isNotNull();
      } catch (IllegalArgumentException e) {
        Assertions.assertThat(e).as("seed %d", seed).hasMessageMatching("(?s).{10,400}");
      } catch (RuntimeException e) {
        throw new AssertionError("seed %d: %s".formatted(seed, text), e);
      }
    }
  }

  @Test
  void theCommandAnswersAnyTextWithoutAStackTrace() {
    for (int seed = 0; seed < ROUNDS / 30; seed++) {
      String text = hostile(new Random(seed)).replace('\u0000', '0');
      if (text.startsWith("-") || text.startsWith("@")) {
        continue;
      }
      Cli cli = Cli.run("decode", text);
      Assertions.assertThat(cli.exitCode()).as("seed %d", seed).isIn(0, 1, 2);
      Assertions.assertThat(cli.err()).as("seed %d", seed).doesNotContain("Exception", "\tat ");
    }
  }

  @Test
  @Tag("slow")
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void longLinesAreReadInTimeThatGrowsWithTheirLength() {
    for (String line :
        List.of(
            ">".repeat(1_000_000),
            "+ ".repeat(500_000),
            ">| ".repeat(300_000),
            " ".repeat(500_000) + "g",
            "0".repeat(1000) + " ".repeat(500_000) + "g")) {
      Assertions.assertThatIllegalArgumentException().isThrownBy(() -> PasteReader.read(line));
    }
    String groups = "00000000: 00 00 00 00\n0000: " + "aa bbbb ".repeat(8000) + "|\n";
    Assertions.assertThat(PasteReader.read(groups).pieces()).isNotEmpty();
    String row = "00000000: 00 00 00 00\n0000: " + "aa bbbb ".repeat(8000).strip();
    Assertions.assertThat(PasteReader.read(row).pieces()).isNotEmpty();
  }

  @Test
  @Tag("slow")
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void blocksOfDigitsAreKeptUpToTheSizeOfADump() {
    Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> PasteReader.read((":".repeat(1 << 16) + "\n").repeat(130)))
        .withMessageContaining("the digits from line 1 on are longer than any dump");
  }

  @Test
  @Tag("slow")
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void longTextIsReadInTimeThatGrowsWithItsLength() {
    Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> PasteReader.read("=".repeat(1_000_000) + "x"));
    Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> PasteReader.read("Got completion error 1 ".repeat(50_000)));
    Assertions.assertThat(
            PasteReader.read("00000000  00\n*\n000fffff  00\n*\n".repeat(10_000))
                .pieces()
                .getLast())
        .isInstanceOf(Unread.class);
    Assertions.assertThat(PasteReader.read("xyz\n\n00\n\n".repeat(50_000)).pieces())
        .hasSize(50_000);
    String lines = "00000000: 00\n".repeat(50_000);
    Assertions.assertThat(PasteReader.read(lines).pieces()).hasSize(50_000);
    Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> PasteReader.read("x".repeat((1 << 24) + 1)));
    String log = "an ordinary line of a log, of no interest\n".repeat(50_000);
    Assertions.assertThat(
            PasteReader.read(("x".repeat(3 << 20) + "\n").repeat(6) + log + "local access error")
                .pieces())
        .containsExactly(new Report(50_007, "an application", 0x11, Report.NO_VENDOR_CODE));
  }
}
