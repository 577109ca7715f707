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
  /** The reason for the order. */
  enum Kind {
    /** The first entry writes bytes of the second. */
    CHANGES("changes the entry"),
    /** The second entry reads what the first writes. */
    DATA("writes what it reads"),
    /** The second entry writes what the first reads or writes. */
    ORDER("must come before it"),
    /** The first entry lets the second be fetched. */
    ENABLES("enables it");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** The relation in words, with the first entry as subject. */
    String text() {
      return text;
    }
  }
}
