package dev.bluebell.cli.paste;

import dev.bluebell.hca.text.Decoder.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that somebody printed.
 *
 * @param line number of the first line, from 1
 * @param form what printed them, as far as that is known
 * @param bytes what they are
 * @param otherOrder what they are if their groups are in the other byte order; null when only one
 *     order makes sense
 * @param told what the line above says that they are; null when no line does
 * @param guesses what was taken for granted to read them, in whole sentences
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
