package dev.bluebell.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Cli;
import dev.bluebell.cli.perf.Peers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The report of a device process is about the work of one command. */
class ReportFileTest {
  private static final Pattern PACKETS =
      Pattern.compile("<td>port_xmit_packets</td><td>(\\d+)</td><td>(\\d+)</td>");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"perf write --warm-up 0 --size 64 --iters 500", "trace write --count 20"})
  void countersRoseByThePacketsOfThisCommandAndNotOfThoseBeforeIt(String words) throws IOException {
    try (Peers device = new Peers(folder)) {
      Matcher first = packets(device, words);
      Matcher second = packets(device, words);
      long before = Long.parseLong(first.group(2));
      assertThat(Long.parseLong(first.group(1))).isPositive().isEqualTo(before);
      assertThat(Long.parseLong(second.group(1)))
          .isPositive()
          .isLessThanOrEqualTo(Long.parseLong(second.group(2)) - before);
    }
  }

  private Matcher packets(Peers device, String words) throws IOException {
    Path report = folder.resolve("report.html");
    List<String> all = new ArrayList<>(List.of(words.split(" ")));
    all.addAll(List.of("--device", device.device(), "--report", report.toString()));
    Cli cli = Cli.run(all.toArray(String[]::new));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    Matcher packets = PACKETS.matcher(Files.readString(report));
    assertThat(packets.find()).isTrue();
    return packets;
  }
}
