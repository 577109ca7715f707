package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.packages.Packages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The packages of the device, in the order that docs/internals.md has them in. */
class PackagesTest {
  private static final Path PAGE = Path.of("../docs/internals.md");
  private static final String CHAPTER = "## Inside the software ConnectX";
  private static final Pattern ROW = Pattern.compile("\\| `([a-z.]+)` \\| .*");

  private final Packages packages = Packages.of(SoftNic.class);

  @Test
  void thePageNamesEachPackageOnce() throws IOException {
    List<String> order = new ArrayList<>(order());
    order.add("");
    assertThat(order).containsExactlyInAnyOrderElementsOf(packages.names());
  }

  @Test
  void aPackageUsesOnlyPackagesAboveItInTheTable() throws IOException {
    List<String> order = order();
    for (int i = 0; i < order.size(); i++) {
      assertThat(packages.needsOf(order.get(i)))
          .as("packages that package %s uses", order.get(i))
          .isSubsetOf(order.subList(0, i));
    }
  }

  /** The first column of the table of packages. */
  private static List<String> order() throws IOException {
    String page = Files.readString(PAGE);
    return page.substring(page.indexOf(CHAPTER))
        .lines()
        .dropWhile(line -> !line.startsWith("| package |"))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> row.group(1))
        .toList();
  }
}
