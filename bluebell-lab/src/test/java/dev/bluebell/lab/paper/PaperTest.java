package dev.bluebell.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.option.Timing.Constant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The paper's figures, and the page that compares them with those of virtual time. */
class PaperTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "")).resolve("../docs/nic-programs.md");
  private static final double SHARE = 0.15;

  /** Figures that differ by more than the share, with reasons as on the page. */
  private static final Set<String> FURTHER_AWAY =
      Set.of(
          // The paper's get of 1 KiB is faster than that of 64 bytes.
          "Hash get: get, 1 KiB",
          "Memcached get: get, 1 KiB",
          "Get among writers: the card's get, 1 writer",
          // The paper does not describe a lap with a break.
          "List walk: with break, first node",
          "List walk: with break, one of the first 2",
          "List walk: with break, one of the first 4",
          "List walk: with break, one of the first 8",
          // Sockets copy the value.
          "Two-sided services: Memcached get, 4 KiB",
          "Two-sided services: Memcached get, 16 KiB",
          "Two-sided services: Memcached get, 64 KiB",
          "One-sided services: list walk, one of the first 4",
          // It does more than RedN's, which would not run on a device that checks entries.
          "Compiled programs: hash get of 64 B, checked");

  private static final Map<Table, List<Table.Result>> RESULTS = new LinkedHashMap<>();

  @BeforeAll
  static void predict() {
    Paper.tables().forEach(table -> RESULTS.put(table, table.predict(Timing.CONNECTX5)));
  }

  @Test
  void thePageHasTheTablesThatTheDevicePredicts() throws IOException {
    String page = Files.readString(PAGE);
    RESULTS.forEach(
        (table, results) ->
            assertThat(page)
                .as("%s: take the table from 'tools/lab paper'", table.title())
                .contains(String.join("\n", table.lines(results))));
    assertThat(page)
        .contains(String.join("\n", ConstructCosts.lines(ConstructCosts.all(Timing.CONNECTX5))));
  }

  @Test
  void everyFigureButTheNamedIsWithinFifteenPercentOfThePaper() {
    Set<String> away = new LinkedHashSet<>();
    RESULTS.forEach(
        (table, results) -> {
          for (int i = 0; i < results.size(); i++) {
            Figure figure = table.figures().get(i);
            double value =
                table.form() == Table.Form.READS
                    ? results.get(i).onPaper()
                    : results.get(i).predicted();
            if (Math.abs(value / figure.paper() - 1) > SHARE) {
              away.add(table.title() + ": " + figure.name());
            }
          }
        });
    assertThat(away).isEqualTo(FURTHER_AWAY);
  }

  @Test
  void figuresThatDefineAConstantEqualThePaper() {
    List<String> fitted = new ArrayList<>();
    RESULTS.forEach(
        (table, results) -> {
          for (int i = 0; i < results.size(); i++) {
            Figure figure = table.figures().get(i);
            if (figure.fitted()) {
              assertThat(results.get(i).onPaper()).isCloseTo(figure.paper(), within(0.02));
              fitted.add(figure.name());
            }
          }
        });
    assertThat(fitted)
        .containsExactly(
            "hash get, 64 B",
            "Memcached get, 64 B",
            "hash or Memcached get, 64 B",
            "list walk, first node");
  }

  @Test
  @Tag("slow")
  void changingAConstantChangesTheFiguresThatDependOnItAndNoOther() {
    for (Table table : RESULTS.keySet()) {
      for (Figure figure : someOf(table)) {
        double before = figure.predicted().applyAsDouble(Timing.CONNECTX5);
        for (Constant constant : Constant.values()) {
          double changed = Timing.CONNECTX5.get(constant) * 1.02;
          double after = figure.predicted().applyAsDouble(Timing.CONNECTX5.with(constant, changed));
          assertThat(Math.abs(after - before) > 1e-9)
              .as("%s, %s by %s", table.title(), figure.name(), constant)
              .isEqualTo(figure.constants().contains(constant));
        }
      }
    }
  }

  /** All plain figures, and two of each service: the first, and one that differs from it. */
  private static List<Figure> someOf(Table table) {
    List<Figure> figures = table.figures();
    return table.form() == Table.Form.CONSTANTS
        ? figures
        : List.of(figures.getFirst(), figures.get(figures.size() / 2));
  }

  @Test
  void everyConstantButTheUnitsMattersToAFigure() {
    Set<Constant> used = new LinkedHashSet<>();
    RESULTS.keySet().forEach(table -> table.figures().forEach(f -> used.addAll(f.constants())));
    assertThat(Constant.values())
        .filteredOn(constant -> !used.contains(constant))
        .containsExactly(Constant.UNITS);
  }
}
