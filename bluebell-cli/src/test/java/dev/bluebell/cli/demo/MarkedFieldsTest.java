package dev.bluebell.cli.demo;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.report.Report;
import dev.bluebell.report.ReportedDevice;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Reports mark the wrong fields of mishaps, and no others. */
class MarkedFieldsTest {
  private static final Pattern MARK = Pattern.compile("<mark>([^=]*)=");

  @Test
  void theFieldsThatAMishapIsAboutAreMarkedInItsReport() throws InterruptedException {
    SortedMap<String, List<String>> marked = new TreeMap<>();
    for (Mishap mishap : Mishaps.all()) {
      try (Scene scene = new Scene()) {
        mishap.work().run(scene);
        List<String> fields = marked(scene);
        if (!fields.isEmpty()) {
          marked.put(mishap.page(), fields);
        }
      }
    }
    assertThat(marked)
        .containsExactlyEntriesOf(
            new TreeMap<>(
                Map.ofEntries(
                    entry("beyond-the-local-region", List.of("byte_count", "address")),
                    entry("beyond-the-region", List.of("address", "byte_count")),
                    entry("bind-over-a-bind", List.of("flags")),
                    entry("closed-region", List.of("rkey")),
                    entry("empty-data-segment", List.of("byte_count")),
                    entry("flushed", List.of("rkey")),
                    entry("local-right", List.of("lkey")),
                    entry("misaligned-atomic", List.of("address")),
                    entry("missing-remote-right", List.of("rkey")),
                    entry("other-domain", List.of("rkey")),
                    entry("revoked-window", List.of("rkey")),
                    entry("stale-rkey", List.of("rkey")),
                    entry("umr-check-qpn", List.of("rkey")),
                    entry("umr-old-key", List.of("rkey")),
                    entry("umr-qpn-mkey", List.of("rkey")),
                    entry("umr-stale-key", List.of("umr_mkey")),
                    entry("umr-without-fence", List.of("rkey")),
                    entry("unused-opcode", List.of("opcode")),
                    entry("window-of-another-queue", List.of("rkey")),
                    entry("wrong-ds", List.of("ds")),
                    entry("wrong-lkey", List.of("lkey")),
                    entry("wrong-opcode", List.of("opcode")),
                    entry("wrong-qpn", List.of("qpn")),
                    entry("wrong-rkey", List.of("rkey")),
                    entry("wrong-wqe-index", List.of("index")))));
  }

  private static List<String> marked(Scene scene) {
    HcaDiagnosis diagnosis = scene.device().diagnosis().orElseThrow();
    Report report = new Report("any", new LinkedHashMap<>());
    report.add(
        new ReportedDevice(
            "any", diagnosis.happenings(), diagnosis.explanations(), Map.of(), Map.of()));
    return MARK.matcher(new String(report.html(), StandardCharsets.UTF_8))
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }
}
