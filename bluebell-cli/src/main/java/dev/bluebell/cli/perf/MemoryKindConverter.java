package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WordConverter;

/** Reads a kind of memory. */
final class MemoryKindConverter extends WordConverter<MemoryKind> {
  MemoryKindConverter() {
    super(MemoryKind.class);
  }
}
