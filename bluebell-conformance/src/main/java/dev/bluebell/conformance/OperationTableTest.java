package dev.bluebell.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every cell of the table of operations: allowed operations work, others are refused. */
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
  void allowedOperationsWork(OperationTable.Cell cell, Bench bench) {
    bench.assumeCapabilities(cell.needs());
    AllowedOperations.execute(cell, bench);
  }

  @ParameterizedTest(name = "{0} is refused")
  @MethodSource("forbidden")
  void forbiddenOperationsAreRefused(OperationTable.Cell cell, Bench bench) {
    bench.assumeCapabilities(cell.needs());
    ForbiddenOperations.expectRefused(cell, bench);
  }
}
