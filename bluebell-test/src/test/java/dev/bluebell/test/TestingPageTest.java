package dev.bluebell.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The code in docs/testing.md is that of {@link ExampleTest}, so it runs. */
class TestingPageTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void theTestsOfThePageAreThoseOfTheExample() throws IOException {
    String example = plain(MODULE.resolve("src/test/java/dev/bluebell/test/ExampleTest.java"));
    List<String> blocks =
        BLOCK
            .matcher(Files.readString(MODULE.resolve("../docs/testing.md")))
            .results()
            .map((MatchResult block) -> plain(block.group(1)))
            .toList();
    assertThat(blocks)
        .hasSizeGreaterThan(3)
        .allSatisfy(block -> assertThat(example).contains(block));
  }

  private static String plain(Path file) throws IOException {
    return plain(Files.readString(file));
  }

  /** Code without indentation and empty lines. */
  private static String plain(String code) {
    return code.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("\n"));
  }
}
