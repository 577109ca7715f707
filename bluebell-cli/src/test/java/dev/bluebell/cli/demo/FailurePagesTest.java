package dev.bluebell.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pages of docs/failures are those that the mishaps make. With {@code
 * -Dbluebell.failures.write=true} it writes them.
 */
class FailurePagesTest {
  private static final Path DOCS =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent().resolve("docs");
  private static final Path FOLDER = DOCS.resolve("failures");
  private static final String REMEDY = "%s: make the pages anew, as CONTRIBUTING.md says";

  private static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void thePagesAreThoseOfTheCode() throws IOException, InterruptedException {
    Map<String, String> pages = FailurePages.all();
    if (Boolean.getBoolean("bluebell.failures.write")) {
      Files.createDirectories(FOLDER);
      for (String file : files()) {
        Files.delete(FOLDER.resolve(file));
      }
      for (Map.Entry<String, String> page : pages.entrySet()) {
        Files.writeString(FOLDER.resolve(page.getKey()), page.getValue());
      }
    }
    assertThat(files()).containsExactlyElementsOf(pages.keySet());
    for (Map.Entry<String, String> page : pages.entrySet()) {
      assertThat(Files.readString(FOLDER.resolve(page.getKey())))
          .as(REMEDY, page.getKey())
          .isEqualTo(page.getValue());
    }
  }

  @Test
  void everyPageIsInTheListOfPitfalls() throws IOException {
    String pitfalls = Files.readString(DOCS.resolve("pitfalls.md"));
    assertThat(Mishaps.all())
        .allSatisfy(
            mishap -> assertThat(pitfalls).contains("(failures/%s.md)".formatted(mishap.page())));
  }

  @Test
  void whatDiffersFromRunToRunIsLeftOut() {
    assertThat(FailurePages.stable("PSN 17 at 0x7f0011223344, rkey 0x115b, in 1,024 µs"))
        .isEqualTo("PSN … at 0x…, rkey 0x115b, in … µs");
  }
}
