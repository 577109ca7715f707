package dev.bluebell.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A folder of docs with generated pages that contain hand-written prose. */
final class PageFolder {
  static final Path DOCS =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent().resolve("docs");
  private static final String REMEDY = "%s: make the pages anew, as CONTRIBUTING.md says";
  private static final String PROSE = "the paragraph below '%s' of %s";

  private PageFolder() {}

  /**
   * Compares the files of a folder with pages; with {@code -Dbluebell.failures.write=true}, writes
   * them first.
   *
   * @param pages pages by file name
   */
  static void check(String name, Map<String, String> pages) throws IOException {
    Path folder = DOCS.resolve(name);
    if (Boolean.getBoolean("bluebell.failures.write")) {
      Files.createDirectories(folder);
      for (String file : files(folder)) {
        Files.delete(folder.resolve(file));
      }
      for (Map.Entry<String, String> page : pages.entrySet()) {
        Files.writeString(folder.resolve(page.getKey()), page.getValue());
      }
    }
    assertThat(files(folder)).containsExactlyElementsOf(pages.keySet());
    for (Map.Entry<String, String> page : pages.entrySet()) {
      assertThat(Files.readString(folder.resolve(page.getKey())))
          .as(REMEDY, page.getKey())
          .isEqualTo(page.getValue());
    }
  }

  /** The hand-written paragraph below a heading of a page, in one line. */
  static String prose(String name, String file, String heading) throws IOException {
    String paragraph =
        Files.readAllLines(DOCS.resolve(name).resolve(file)).stream()
            .dropWhile(line -> !line.equals("## " + heading))
            .skip(2)
            .takeWhile(line -> !line.isEmpty())
            .collect(Collectors.joining(" "));
    assertThat(paragraph).as(PROSE, heading, file).isNotBlank();
    return paragraph;
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
