package dev.bluebell.cli.program;

import dev.bluebell.program.plan.Entry;
import org.jspecify.annotations.Nullable;

/**
 * A pair of entries that must keep an order.
 *
 * @param from the one that comes first; null for the client's message
 * @param to the one that depends on it
 */
record Dependence(@Nullable Entry from, Entry to, Kind kind) {
  /** Why they must. */
  enum Kind {
    /** The first writes bytes of the second. */
    CHANGES("changes the entry"),
    /** The second reads what the first writes. */
    DATA("writes what it reads"),
    /** The second writes what the first reads or writes. */
    ORDER("must come before it"),
    /** The first lets the second be fetched. */
    ENABLES("enables it");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** What the first does to the second. */
    String text() {
      return text;
    }
  }
}
