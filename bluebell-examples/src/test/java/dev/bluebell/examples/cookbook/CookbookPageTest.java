package dev.bluebell.examples.cookbook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code in docs/cookbook.md is copied from the programs, identical except for indentation. */
class CookbookPageTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
  private static final Path PROGRAMS =
      ROOT.resolve("bluebell-examples/src/main/java/dev/bluebell/examples/cookbook");

  /** The source that the blocks behind it are from, or a block. */
  private static final Pattern PART =
      Pattern.compile("(?ms)^From `(\\S+)`:$|^```java\\n(.*?)^```$");

  private static Matcher parts() throws IOException {
    return PART.matcher(Files.readString(ROOT.resolve("docs/cookbook.md")));
  }

  private static String indented(String block, int spaces) {
    return block.replaceAll("(?m)^(?=.)", " ".repeat(spaces));
  }

  @Test
  void eachBlockStandsInTheSourceThatIsNamed() throws IOException {
    Matcher part = parts();
    String source = "";
    int blocks = 0;
    while (part.find()) {
      if (part.group(1) != null) {
        source = Files.readString(ROOT.resolve(part.group(1)));
      } else {
        assertThat(source).containsAnyOf(indented(part.group(2), 0), indented(part.group(2), 2));
        blocks++;
      }
    }
    assertThat(blocks).isGreaterThan(10);
  }

  @Test
  void eachProgramIsOnThePage() throws IOException {
    Set<Path> shown = new HashSet<>();
    Matcher part = parts();
    while (part.find()) {
      if (part.group(1) != null) {
        shown.add(ROOT.resolve(part.group(1)));
      }
    }
    try (Stream<Path> files = Files.list(PROGRAMS)) {
      assertThat(files.toList()).isSubsetOf(shown);
    }
  }
}
