package dev.bluebell.cli.paste;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hexadecimal dump in pasted text.
 *
 * @param line number of the first line, from 1
 * @param form the source of the dump, such as the kernel
 * @param bytes the dumped bytes
 * @param otherOrder the bytes if each group has the other byte order; null when only one order
 *     makes sense
 * @param headline the line above, which says what the bytes are; null without one
 * @param guesses assumptions made in reading them, in whole sentences
 */
public record Dump(
    int line,
    String form,
    byte[] bytes,
    byte @Nullable [] otherOrder,
    @Nullable Headline headline,
    List<String> guesses)
    implements Piece {

  /** Makes the list unmodifiable. */
  public Dump {
    guesses = List.copyOf(guesses);
  }
}
