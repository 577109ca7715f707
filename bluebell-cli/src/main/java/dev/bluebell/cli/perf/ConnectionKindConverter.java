package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WordConverter;

/** Reads a kind of connections. */
final class ConnectionKindConverter extends WordConverter<ConnectionKind> {
  ConnectionKindConverter() {
    super(ConnectionKind.class);
  }
}
