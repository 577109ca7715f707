package dev.bluebell.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every cell of the table of operations: what is allowed works, and what is not is refused. */
@Conformance
class OperationTableTest {

  static Stream<OperationTable.Cell> allowed() {
    return OperationTable.cells().filter(cell -> cell.verdict().isAllowed());
  }

  static Stream<OperationTable.Cell> forbidden() {
    return OperationTable.cells().filter(cell -> !cell.verdict().isAllowed());
  }

  @ParameterizedTest(name = "{0} works")
  @MethodSource("allowed")
  void whatIsAllowedWorks(OperationTable.Cell cell, Bench bench) {
    assumeTags(cell, bench);
    AllowedOperations.execute(cell, bench);
  }

  @ParameterizedTest(name = "{0} is refused")
  @MethodSource("forbidden")
  void whatIsForbiddenIsRefused(OperationTable.Cell cell, Bench bench) {
    assumeTags(cell, bench);
    ForbiddenOperations.expectRefused(cell, bench);
  }

  private static void assumeTags(OperationTable.Cell cell, Bench bench) {
    assumeTrue(
        cell.operation() != Operation.TAG_RECEIVES && cell.operation() != Operation.TAG_LIST
            || bench.device().attributes().maxTags() > 0,
        "the device has no tag matching");
  }
}
