package dev.bluebell.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/**
 * The pages of docs/failures match the output of the mishaps. With {@code
 * -Dbluebell.failures.write=true}, the test writes them, and keeps their prose.
 */
class FailurePagesTest {
  @Test
  void thePagesShowWhatHappens() throws IOException, InterruptedException {
    PageFolder.check("failures", FailurePages.all());
  }

  @Test
  void everyPageIsInTheListOfPitfalls() throws IOException {
    String pitfalls =
        Files.readString(PageFolder.DOCS.resolve("pitfalls.md"))
            + Files.readString(PageFolder.DOCS.resolve("pitfalls-raw.md"));
    assertThat(Mishaps.all())
        .allSatisfy(
            mishap -> assertThat(pitfalls).contains("(failures/%s.md)".formatted(mishap.page())));
  }

  @Test
  void valuesThatDifferFromRunToRunAreMasked() {
    assertThat(FailurePages.stable("PSN 0x000011 at 0x7f0011223344, rkey 0x115b, in 1,024 µs"))
        .isEqualTo("PSN … at 0x…, rkey 0x115b, in … µs");
  }
}
