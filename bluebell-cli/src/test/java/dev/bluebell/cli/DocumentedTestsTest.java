package dev.bluebell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the documents' tables, the files in {@code documented-tests} and the machine model
 * name exist, by class and method, in the sources of some module.
 */
class DocumentedTestsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
  private static final Pattern METHOD = Pattern.compile("^ +(?:public )?void (\\w+)\\(");
  private static final Pattern NAMED = Pattern.compile("[A-Z]\\w*Test\\.\\w+");

  /** A row without a test says so, or says what the test waits for. */
  private static final Pattern NO_TEST = Pattern.compile("—|none|later: .+");

  /** A row of the machine model, from its number to the next one. */
  private static final Pattern ROW = Pattern.compile("(?ms)^### (M\\d+)$(.*?)(?=^### |\\z)");

  private static final Pattern TESTS_OF_ROW = Pattern.compile("(?ms)^- Tests: (.*?)(?=^$|\\z)");

  private static Set<String> testsThatExist() throws IOException {
    Set<String> tests = new HashSet<>();
    try (DirectoryStream<Path> modules = Files.newDirectoryStream(ROOT, "bluebell-*")) {
      for (Path module : modules) {
        addTests(module.resolve("src"), tests);
      }
    }
    return tests;
  }

  private static void addTests(Path sources, Set<String> tests) throws IOException {
    if (!Files.exists(sources)) {
      return;
    }
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(DocumentedTestsTest::isTestSource).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        for (String line : Files.readAllLines(file)) {
          Matcher method = METHOD.matcher(line);
          if (method.find()) {
            tests.add(name + "." + method.group(1));
          }
        }
      }
    }
  }

  private static boolean isTestSource(Path file) {
    return file.toString().endsWith("Test.java");
  }

  /** The last column of each table whose heading there is "test". */
  private static List<String> testColumn(Path document) throws IOException {
    List<String> cells = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(document)) {
      if (line.endsWith("| test |")) {
        inside = true;
      } else if (!line.startsWith("|")) {
        inside = false;
      } else if (inside && !line.startsWith("|---")) {
        String[] columns = line.split("\\|");
        cells.add(columns[columns.length - 1].strip());
      }
    }
    return cells;
  }

  @ParameterizedTest
  @CsvSource({"docs/sharing-attacks.md, 18"})
  void everyTestThatADocumentNamesExists(String document, int fewestRows) throws IOException {
    Set<String> existing = testsThatExist();
    List<String> cells = testColumn(ROOT.resolve(document));
    assertThat(cells).as("rows with a test").hasSizeGreaterThan(fewestRows);
    for (String cell : cells) {
      assertTestsExist(document, cell, existing);
    }
  }

  /** The rows of a page's tables, by their first cells, without their heads. */
  private static List<String> rows(Path page) throws IOException {
    List<String> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("|---")) {
        inside = true;
      } else if (!line.startsWith("|")) {
        inside = false;
      } else if (inside) {
        rows.add(line.split("\\|")[1].strip().replace("`", ""));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"capabilities", "network-scenarios"})
  void everyRowOfAPageHasItsTestsInAFileBesideThisTest(String page) throws IOException {
    Set<String> existing = testsThatExist();
    Path file = ROOT.resolve("bluebell-cli/src/test/resources/documented-tests/" + page + ".txt");
    List<String> names = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] row = line.split(": ", 2);
      names.add(row[0]);
      assertTestsExist(page + " " + row[0], row[1], existing);
    }
    assertThat(rows(ROOT.resolve("docs/" + page + ".md")))
        .containsExactlyElementsOf(names)
        .doesNotHaveDuplicates();
  }

  private static void assertTestsExist(String place, String named, Set<String> existing) {
    if (!NO_TEST.matcher(named).matches()) {
      assertThat(named.split(", "))
          .as("tests named in %s", place)
          .allSatisfy(name -> assertThat(name).matches(NAMED))
          .isSubsetOf(existing);
    }
  }

  @Test
  void eachRowOfTheMachineModelHasANumberOfItsOwnAndTestsThatExist() throws IOException {
    Set<String> existing = testsThatExist();
    Set<String> rows = new HashSet<>();
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs/machine-model"))) {
      for (Path page : pages.toList()) {
        Matcher row = ROW.matcher(Files.readString(page));
        while (row.find()) {
          assertThat(rows.add(row.group(1))).as("%s is a new number", row.group(1)).isTrue();
          Matcher tests = TESTS_OF_ROW.matcher(row.group(2));
          assertThat(tests.find()).as("%s names its tests", row.group(1)).isTrue();
          assertTestsExist(row.group(1), tests.group(1).replaceAll("\\s+", " ").strip(), existing);
        }
      }
    }
    assertThat(rows).hasSizeGreaterThan(300);
  }
}
