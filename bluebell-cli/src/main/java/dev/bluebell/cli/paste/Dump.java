package dev.bluebell.cli.paste;

import dev.bluebell.hca.text.Decoder.Kind;
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
 * @param told the kind that the line above names; null when it names none
 * @param guesses assumptions made in reading them, in whole sentences
 */
public record Dump(
    int line,
    String form,
    byte[] bytes,
    byte @Nullable [] otherOrder,
    @Nullable Kind told,
    List<String> guesses)
    implements Piece {

  /** Makes the list unmodifiable. */
  public Dump {
    guesses = List.copyOf(guesses);
  }
}
