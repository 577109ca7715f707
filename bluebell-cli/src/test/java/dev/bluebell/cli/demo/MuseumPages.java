package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.FailurePages.add;
import static dev.bluebell.cli.demo.FailurePages.addProse;
import static dev.bluebell.cli.demo.FailurePages.sentenceCase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The pages of docs/museum: the output of a run, around hand-written prose. */
final class MuseumPages {
  private static final String FOLDER = "museum";

  private MuseumPages() {}

  /** The text of all pages, by file name. */
  static Map<String, String> all() throws IOException, InterruptedException {
    Map<String, String> pages = new TreeMap<>();
    for (Exhibit exhibit : Museum.all()) {
      ExhibitResult result = exhibit.run(Scene::new);
      if (!result.isRight()) {
        throw new IllegalStateException(exhibit.name() + ": " + result.complaint());
      }
      pages.put(exhibit.name() + ".md", page(result));
    }
    pages.put("README.md", index());
    return pages;
  }

  private static String page(ExhibitResult result) throws IOException {
    Exhibit exhibit = result.exhibit();
    List<String> lines = new ArrayList<>();
    lines.add("# " + sentenceCase(exhibit.mishap().title()));
    lines.add("");
    add(lines, "Try it: `./bluebell museum run %s`".formatted(exhibit.name()));
    lines.add("## As reported");
    lines.add("");
    add(lines, exhibit.reported());
    add(lines, "Reported in " + links(exhibit) + ".");
    lines.add("## What happens here");
    lines.add("");
    FailurePages.symptoms(lines, result.broken());
    FailurePages.evidence(lines, result.broken());
    addProse(lines, FOLDER, exhibit.name(), "How to see it");
    lines.add("## Cause");
    lines.add("");
    add(lines, exhibit.story().cause());
    lines.add("## Fix");
    lines.add("");
    add(lines, exhibit.story().cure());
    add(lines, "Fixed: %s.".formatted(result.proof()));
    addProse(lines, FOLDER, exhibit.name(), "Sources");
    lines.add("[The museum](README.md)");
    return String.join("\n", lines) + "\n";
  }

  private static String links(Exhibit exhibit) {
    return exhibit.reports().stream()
        .map(report -> "[%s](%s)".formatted(report, Exhibit.link(report)))
        .collect(Collectors.joining(", "));
  }

  private static String index() {
    List<String> lines = new ArrayList<>();
    lines.add("# The museum");
    lines.add("");
    add(
        lines,
        "The museum makes failures from the public record happen again. Each exhibit runs twice on"
            + " the software ConnectX: once with the mistake, showing the bytes that are wrong, and"
            + " once without it. `./bluebell museum` lists the exhibits, `./bluebell museum run"
            + " NAME` runs one and `./bluebell museum run --all` runs all.");
    add(
        lines,
        "Each page separates what the report says, in our words, from our own interpretation.");
    lines.add("| Exhibit | Failure | Reported in |");
    lines.add("|---|---|---|");
    for (Exhibit exhibit : Museum.all()) {
      lines.add(
          "| [%s](%s.md) | %s | %s |"
              .formatted(exhibit.name(), exhibit.name(), exhibit.mishap().title(), links(exhibit)));
    }
    lines.add("");
    lines.add("## As a test suite");
    lines.add("");
    add(
        lines,
        "`./bluebell museum run --all --device NAME` runs the exhibits on another device. Those"
            + " that need an option of the software ConnectX are skipped. A card explains less than"
            + " the software ConnectX, so explanations are compared only on devices that give"
            + " them.");
    add(
        lines,
        "`dev.bluebell.cli.demo.MuseumSuite` runs the same exhibits as JUnit tests. Put"
            + " `bluebell-cli` on the class path of your tests, extend the suite, and override"
            + " `open()` to return your device:");
    lines.add("```java");
    lines.add("class MuseumTest extends MuseumSuite {");
    lines.add("  @Override");
    lines.add("  protected Hca open() {");
    lines.add("    return new MyProvider().open(\"mine\").orElseThrow();");
    lines.add("  }");
    lines.add("}");
    lines.add("```");
    lines.add("");
    add(
        lines,
        "`MuseumPagesTest` generates these pages, except for the sections \"How to see it\" and"
            + " \"Sources\", and fails if they differ from what happens; CONTRIBUTING.md says how"
            + " to regenerate them. [Failures by symptom](../failures/README.md) shows typical"
            + " mistakes.");
    lines.removeLast();
    return String.join("\n", lines) + "\n";
  }
}
