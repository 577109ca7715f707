package dev.bluebell.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page for newcomers quotes the demo correctly, and its links have targets. */
class FifteenMinutesTest {
  private static final Path DOCS =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent().resolve("docs");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)");

  /** Steps that the page explains. */
  private static final List<String> QUOTED =
      List.of(
          "SEND into a posted receive",
          "SEND before there is a receive (RNR)",
          "SEND with immediate",
          "RDMA WRITE",
          "RDMA READ",
          "RDMA WRITE with immediate",
          "compare-and-swap: one swaps, one does not",
          "fetch-and-add from two sides",
          "unsignalled requests, one completion",
          "error state, flush, reset and reconnect",
          "completion event after 20 ms of sleep",
          "UC: an unreliable SEND and WRITE",
          "UD: datagrams to two peers, and their senders",
          "DC: one initiator, three targets",
          "XRC: one connection, three receive queues",
          "endpoints exchanged out of band");

  private static String page() throws IOException {
    return Files.readString(DOCS.resolve("fifteen-minutes.md"));
  }

  @Test
  void theStepsThatThePageQuotesAreInTheDemo() throws IOException {
    assertThat(Tour.steps()).extracting(Step::title).containsAll(QUOTED);
    assertThat(page()).contains(QUOTED);
  }

  @Test
  void thePageShowsTheProgramOfTheConsumers() throws IOException {
    String program =
        Files.readString(
            DOCS.resolve("../bluebell-consumers/src/it/program/com/example/Main.java"));
    String shown = page().replaceFirst("(?s).*```java\n(.*?)```.*", "$1").indent(6);
    assertThat(program).contains(shown);
  }

  @Test
  void theLinksOfThePageLeadSomewhere() throws IOException {
    List<String> links = LINK.matcher(page()).results().map(MatchResult::group).toList();
    assertThat(links)
        .isNotEmpty()
        .allSatisfy(link -> assertThat(DOCS.resolve(link.substring(2))).exists());
  }
}
