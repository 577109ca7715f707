package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WordConverter;
import dev.bluebell.verbs.CqeCompression;

/** Reads how a device compresses completions. */
final class CompressionConverter extends WordConverter<CqeCompression> {
  CompressionConverter() {
    super(CqeCompression.class);
  }
}
