package dev.bluebell.conformance.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.conformance.OperationTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of operations matches the documentation and the driver's types. */
class OperationsPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../docs/operations.md");

  @Test
  void thePageHasTheTableThatTheTestsHave() throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    List<String> table = OperationTable.markdown();
    int start = lines.indexOf(table.getFirst());
    assertThat(start).as("the head of the table:\n%s", String.join("\n", table)).isPositive();
    assertThat(lines.subList(start, lines.size()))
        .as("the page ends with:\n%s", String.join("\n", table))
        .isEqualTo(table);
  }

  @Test
  void theDriverHasStagesForExactlyTheOperationsOfTheTable() {
    assertThat(OperationTable.cells()).allMatch(OperationTable::fitsTheDriver);
  }
}
