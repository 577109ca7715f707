package dev.bluebell.cli.text;

import dev.bluebell.cli.paste.Piece;
import dev.bluebell.cli.paste.Report;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of a pasted text.
 *
 * @param piece where it was found
 * @param entry its bytes, decoded; null for a line without bytes
 */
record Part(Piece piece, @Nullable Entry entry) {

  int line() {
    return piece.line();
  }

  /** The failure of a request that it reports; empty if it reports none. */
  Optional<Finding> finding() {
    if (piece instanceof Report report) {
      return Optional.of(Finding.of(report));
    }
    return entry == null ? Optional.empty() : entry.finding();
  }

  /** True if it reports a failure without showing its completion. */
  boolean isOnlyALine() {
    return entry == null;
  }
}
