package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WordConverter;

/** Reads what to measure. */
final class PerfOperationConverter extends WordConverter<PerfOperation> {
  PerfOperationConverter() {
    super(PerfOperation.class);
  }
}
