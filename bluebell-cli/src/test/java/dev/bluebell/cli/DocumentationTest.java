package dev.bluebell.cli;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * The documents work as a site without changes: each page is in the index and in the navigation,
 * and each link has a target.
 */
class DocumentationTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
  private static final Path DOCS = ROOT.resolve("docs");

  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|`[^`\n]*`");
  private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(\\s*([^)\\s]+)\\s*\\)");
  private static final Pattern JAVA = Pattern.compile("(?m)^java .*?-XX:[+-]?(\\w+)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(DOCS)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(pages());
    try (Stream<Path> files = Files.list(ROOT)) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
    }
    return documents;
  }

  private static List<String> links(Path document) throws IOException {
    String text = CODE.matcher(Files.readString(document)).replaceAll("code");
    return LINK.matcher(text)
        .results()
        .map((MatchResult link) -> link.group(1))
        .filter(link -> !ELSEWHERE.matcher(link).matches())
        .toList();
  }

  /** Anchors of the headings, except where GitHub and MkDocs make different ones. */
  private static Set<String> anchors(Path document) throws IOException {
    String text = Files.readString(document).replaceAll("(?ms)^```.*?^```$", "");
    return HEADING
        .matcher(text)
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\w\\s-]", "").strip().replace(' ', '-'))
        .filter(anchor -> !anchor.contains("--"))
        .collect(toSet());
  }

  private static Path target(Path document, String link) {
    String file = link.replaceFirst("#.*", "");
    return file.isEmpty() ? document : document.resolveSibling(file).normalize();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void eachLinkLeadsSomewhere(Path document) throws IOException {
    for (String link : links(document)) {
      Path target = target(document, link);
      assertThat(target).as("%s in %s", link, document).exists();
      if (link.contains("#")) {
        assertThat(anchors(target))
            .as("headings for %s in %s", link, document)
            .contains(link.replaceFirst(".*#", ""));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void noLinkOfThePagesLeavesThem(Path page) throws IOException {
    assertThat(links(page))
        .as("links that a site of docs/ alone would not have")
        .allMatch(link -> target(page, link).startsWith(DOCS));
  }

  @Test
  void eachPageIsInTheIndex() throws IOException {
    Set<Path> indexed = new HashSet<>();
    for (String name :
        List.of("README.md", "failures/README.md", "museum/README.md", "machine-model.md")) {
      Path index = DOCS.resolve(name);
      indexed.add(index);
      for (String link : links(index)) {
        indexed.add(target(index, link));
      }
    }
    assertThat(pages()).isSubsetOf(indexed);
  }

  /** An entry of the site's navigation. */
  private record Entry(String title, String page) {}

  private static List<Entry> navigation() throws IOException {
    Map<String, Object> site = new Yaml().load(Files.readString(ROOT.resolve("mkdocs.yml")));
    List<Entry> entries = new ArrayList<>();
    collect(site.get("nav"), entries);
    return entries;
  }

  private static void collect(Object level, List<Entry> entries) {
    for (Object titled : (List<?>) level) {
      ((Map<?, ?>) titled)
          .forEach(
              (title, content) -> {
                if (content instanceof String page) {
                  entries.add(new Entry(title.toString(), page));
                } else {
                  collect(content, entries);
                }
              });
    }
  }

  @Test
  void theNavigationNamesEachPageOnce() throws IOException {
    assertThat(navigation().stream().map(Entry::page))
        .containsExactlyInAnyOrderElementsOf(
            pages().stream().map(page -> DOCS.relativize(page).toString()).toList());
  }

  @Test
  void theNavigationNamesPagesOfFailuresByTheirTitles() throws IOException {
    assertThat(navigation())
        .filteredOn(entry -> entry.page().matches("(failures|museum)/.*"))
        .isNotEmpty()
        .allSatisfy(
            entry ->
                assertThat(Files.readString(DOCS.resolve(entry.page())))
                    .startsWith("# %s\n".formatted(entry.title())));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void eachOptionOfTheJvmExists(Path document) throws IOException {
    var jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    assertThat(JAVA.matcher(Files.readString(document)).results())
        .allSatisfy(option -> assertThat(jvm.getVMOption(option.group(1))).isNotNull());
  }

  @ParameterizedTest
  @ValueSource(strings = {"pom.xml", "src/test/java/com/example/FirstTest.java"})
  void theFirstProjectOfLibraryUsersIsTheOneThatTheBuildRuns(String file) throws IOException {
    String project = Files.readString(ROOT.resolve("bluebell-consumers/src/it/first", file));
    assertThat(Files.readString(DOCS.resolve("library.md")))
        .contains("`" + file + "`:\n\n```")
        .contains("\n" + project + "```");
  }
}
