package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.softnic.Sentences.Sentence;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.rig.TestsThatRan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Some test produces each sentence with which the device may explain a failure.
 *
 * <p>The sentences come from the device's sources (see {@link Sentences}), the produced ones from
 * {@link Heard}, where the fixtures put all explanations and refusals. So this class runs last, and
 * only when all other classes of the module ran in the same JVM.
 */
@Order(Integer.MAX_VALUE)
@Isolated
class EveryExplanationIsReachedTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", ""));

  @Test
  void everyExplanationIsReachedByATest() throws IOException {
    assumeTrue(TestsThatRan.names().containsAll(otherTests()), "other tests were left out");
    String heard = String.join("\n", Heard.sentences());
    List<String> all = heard.lines().toList();
    List<Sentence> sentences = Sentences.of(MODULE.resolve("src/main/java"));
    assertThat(sentences).hasSizeGreaterThan(50);
    assertThat(sentences.stream().filter(sentence -> !isHeard(sentence, all)).toList())
        .as("explanations that no test reached")
        .isEmpty();
  }

  private static boolean isHeard(Sentence sentence, List<String> heard) {
    Pattern pattern = sentence.pattern();
    String words = sentence.longestPart();
    return heard.stream().anyMatch(line -> line.contains(words) && pattern.matcher(line).find());
  }

  private static List<String> otherTests() throws IOException {
    Path tests = MODULE.resolve("src/test/java");
    try (Stream<Path> walk = Files.walk(tests)) {
      return walk.map(path -> tests.relativize(path).toString())
          .filter(name -> name.endsWith("Test.java"))
          .map(name -> name.replace(".java", "").replace('/', '.'))
          .filter(name -> !name.equals(EveryExplanationIsReachedTest.class.getName()))
          .collect(Collectors.toList());
    }
  }
}
