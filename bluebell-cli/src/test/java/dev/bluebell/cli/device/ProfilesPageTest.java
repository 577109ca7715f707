package dev.bluebell.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.LinkLayer;
import dev.bluebell.softnic.option.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of profiles has the values of the profiles, with their sources. */
class ProfilesPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", ""))
          .toAbsolutePath()
          .getParent()
          .resolve("docs/profiles.md");

  private static final String SETS_OF_BITS = "atomic_caps.";

  private static List<Profile> profiles() {
    return Profile.names().stream().map(Profile::named).toList();
  }

  private static List<String> table() {
    Set<String> fields = new LinkedHashSet<>();
    profiles().forEach(profile -> profile.claims().forEach(claim -> fields.add(claim.field())));
    List<String> lines = new ArrayList<>();
    lines.add("| capability | %s |".formatted(String.join(" | ", Profile.names())));
    lines.add("|---" + "|---".repeat(Profile.names().size()) + "|");
    for (String field : fields) {
      lines.add(
          profiles().stream()
              .map(profile -> cell(profile, field))
              .collect(Collectors.joining(" | ", "| `%s` | ".formatted(field), " |")));
    }
    return lines;
  }

  private static String cell(Profile profile, String field) {
    String text =
        profile.claims().stream()
            .filter(claim -> claim.field().equals(field))
            .map(
                claim ->
                    (field.startsWith(SETS_OF_BITS) ? "0x%x %s%s" : "%d %s%s")
                        .formatted(
                            claim.value(),
                            claim.source(),
                            claim.layer().map(layer -> " (%s)".formatted(layer)).orElse("")))
            .collect(Collectors.joining(", "));
    return text.isEmpty() ? "—" : text;
  }

  @Test
  void thePageHasTheTableThatTheProfilesMake() throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    List<String> table = table();
    int start = lines.indexOf(table.getFirst());
    assertThat(start).as("the head of the table:\n%s", String.join("\n", table)).isPositive();
    assertThat(lines.subList(start, lines.size()))
        .as("the page ends with:\n%s", String.join("\n", table))
        .isEqualTo(table);
  }

  @Test
  void everySourceIsExplainedOnThePage() throws IOException {
    String page = Files.readString(PAGE);
    for (Profile profile : profiles()) {
      for (LinkLayer layer : LinkLayer.values()) {
        assertThat(profile.claims(layer))
            .allSatisfy(claim -> assertThat(page).contains("| " + claim.source() + " | "));
      }
    }
  }
}
