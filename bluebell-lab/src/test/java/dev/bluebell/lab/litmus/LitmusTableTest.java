package dev.bluebell.lab.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Litmus tests of processors and NICs: the results that the model allows, and those of the device.
 * With {@code -Dbluebell.failures.write=true} it writes the tables of docs/litmus.md.
 */
class LitmusTableTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", ""))
          .toAbsolutePath()
          .getParent()
          .resolve("docs/litmus.md");
  private static final Pattern TABLES =
      Pattern.compile("(?s)(?<=<!-- tables -->\n).*(?=<!-- end of tables -->)");

  private static final int SEEDS = Integer.getInteger("bluebell.litmus.seeds", 8);
  private static final int PROGRAMS = Integer.getInteger("bluebell.litmus.programs", 20);

  /** Maximum number of seeds for a rare result. */
  private static final int MOST_SEEDS = Math.max(2000, SEEDS);

  private static List<Row> rows(List<Litmus> tests, boolean relaxed) {
    return Row.of(tests, relaxed, 1, SEEDS, MOST_SEEDS);
  }

  @Test
  void theDeviceShowsExactlyTheResultsThatTheModelAllowsAndTheTableListsThem() throws IOException {
    List<Row> ordered = rows(Litmus.all(), false);
    List<Row> relaxed = rows(Row.relaxable(Litmus.all()), true);
    assertThat(
            Stream.concat(ordered.stream(), relaxed.stream())
                .flatMap(row -> row.mistakes().stream()))
        .isEmpty();

    String page = Files.readString(PAGE);
    String table = LitmusCommand.table(ordered, relaxed);
    if (Boolean.getBoolean("bluebell.failures.write")) {
      page = TABLES.matcher(page).replaceFirst(Matcher.quoteReplacement("\n" + table + "\n"));
      Files.writeString(PAGE, page);
    }
    assertThat(page)
        .as("docs/litmus.md: regenerate its tables as CONTRIBUTING.md describes")
        .contains(table);
  }

  @Test
  @Tag("slow")
  void drawnProgramsShowNothingThatTheModelForbids() {
    assertThat(
            LongStream.rangeClosed(1, PROGRAMS)
                .mapToObj(RandomLitmus::of)
                .flatMap(each -> Row.of(List.of(each), false, 1, 2, 2).stream())
                .flatMap(row -> row.ofSeen().mistakes().stream()))
        .isEmpty();
  }

  @Test
  void aSeedShowsTheSameEachTime() {
    for (long seed = 1; seed <= 3; seed++) {
      assertThat(results(seed)).isEqualTo(results(seed));
    }
    assertThat(results(1)).isNotEqualTo(results(2));
  }

  private static List<String> results(long seed) {
    try (DeviceRun run = new DeviceRun(seed, false)) {
      return Litmus.all().stream().map(run::run).toList();
    }
  }

  @Test
  void aStrengthOfTheDeviceTakesResultsAway() {
    Litmus test =
        Litmus.parse(
                """
                unseen put
                A put has completed when its write is still on its way.
                init: x1=1
                1: d2<-x1; poll 2; f3<-x1
                3: await f3 1; a3<-d2; poll 2
                see: a3
                """)
            .getFirst();
    assertThat(Model.results(test, Set.of(), false)).containsExactly("a3=0", "a3=1");
    assertThat(Model.results(test, EnumSet.of(Strength.PUT_COMPLETES_VISIBLE), false))
        .containsExactly("a3=1");
    assertThat(Row.of(List.of(test), false, 1, 1, 1).getFirst().reasons())
        .containsExactly(Strength.PUT_COMPLETES_VISIBLE, Strength.READS_SEE_WRITES);
  }
}
