package dev.bluebell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The bill of materials lists the modules of the build, in the build's version. */
class BomTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
  private static final Pattern MANAGED =
      Pattern.compile(
          "<artifactId>(bluebell-\\w+)</artifactId><version>\\$\\{project.version}</version>");
  private static final Pattern VERSION = Pattern.compile("\n {2}<version>(.+)</version>");

  @Test
  void theBomListsTheModulesOfTheBuild() throws Exception {
    assertThat(all(MANAGED, "bluebell-bom/pom.xml")).isEqualTo(all(MANAGED, "pom.xml")).hasSize(16);
  }

  @Test
  void theBomHasTheVersionOfTheBuild() throws Exception {
    assertThat(all(VERSION, "bluebell-bom/pom.xml")).isEqualTo(all(VERSION, "pom.xml")).hasSize(1);
  }

  private static Set<String> all(Pattern pattern, String file) throws IOException {
    return pattern
        .matcher(Files.readString(ROOT.resolve(file)))
        .results()
        .map((MatchResult result) -> result.group(1))
        .collect(Collectors.toSet());
  }
}
