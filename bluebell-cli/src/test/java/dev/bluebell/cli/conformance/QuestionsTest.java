package dev.bluebell.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.conformance.Question;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each question belongs to an inferred row, and the software device does what that row says. */
class QuestionsTest {
  private static final Path ROWS =
      Path.of(System.getProperty("basedir", ""))
          .toAbsolutePath()
          .getParent()
          .resolve("docs/machine-model");

  private static final Pattern ROW = Pattern.compile("(?ms)^### (M\\d+)$(.*?)(?=^### |\\z)");
  private static final Pattern INFERRED =
      Pattern.compile("(?m)^- (?!source|tests)(?:[^\\n]|\\n {2})*inferred");

  static List<Question> questions() {
    return Question.all();
  }

  private static Map<String, String> rows() throws IOException {
    Map<String, String> rows = new HashMap<>();
    try (Stream<Path> pages = Files.list(ROWS)) {
      for (Path page : pages.toList()) {
        for (MatchResult row : ROW.matcher(Files.readString(page)).results().toList()) {
          rows.put(row.group(1), row.group(2).toLowerCase(Locale.ROOT));
        }
      }
    }
    return rows;
  }

  @Test
  void eachQuestionIsAboutARowThatIsMarkedInferred() throws IOException {
    Map<String, String> rows = rows();
    assertThat(questions())
        .hasSizeGreaterThan(40)
        .allSatisfy(
            question ->
                assertThat(rows.getOrDefault(question.row(), "no such row"))
                    .as(question.row())
                    .containsPattern(INFERRED));
  }

  @Test
  void noQuestionIsAskedTwice() {
    assertThat(questions()).extracting(Question::text).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("questions")
  void theSoftwareDeviceAnswersWhatTheRowSays(Question question) {
    assertThat(question.ask("soft:engine=poll"))
        .as("%s: %s", question.row(), question.text())
        .isEqualTo(question.software());
  }
}
