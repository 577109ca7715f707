package dev.bluebell.program.plan;

/**
 * A remote or local address of an entry.
 *
 * @param span bytes that it can access: the exact range, or everything that its pointer may point
 *     into
 * @param known false when the program fills the address in before the entry is fetched
 */
public record Address(Span span, boolean known) {
  /** A known address. */
  public static Address of(Span span) {
    return new Address(span, true);
  }

  /** An address that the program fills in. */
  public static Address hole(Area within) {
    return new Address(within.whole(), false);
  }

  /** An address in memory of the client, which the client sends with the call. */
  public static Address of(ClientMemory memory, int bytes) {
    return new Address(new Span(memory, 0, bytes), false);
  }

  @Override
  public String toString() {
    return known ? span.toString() : "[…] in " + span.block().name();
  }
}
