package dev.bluebell.cli.paste;

import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** The lines of a text, of which only one is in memory. */
final class Lines {
  private static final int LONGEST = 1 << 21;

  private final Reader text;
  private final StringBuilder characters = new StringBuilder();
  private boolean isTooLong;
  private boolean skipLineFeed;

  Lines(Reader text) {
    this.text = text;
  }

  /** Goes to the next line; false at the end. */
  boolean next() throws IOException {
    characters.setLength(0);
    isTooLong = false;
    boolean any = false;
    while (true) {
      int read = text.read();
      if (read < 0) {
        return any;
      }
      boolean behindReturn = skipLineFeed;
      skipLineFeed = read == '\r';
      if (read == '\n' && behindReturn) {
        continue;
      }
      if (read == '\n' || read == '\r') {
        return true;
      }
      any = true;
      add((char) read);
    }
  }

  private void add(char character) {
    isTooLong |= characters.length() == LONGEST;
    if (!isTooLong) {
      characters.append(character);
    }
  }

  /** The line without its break; null when it is longer than any line of a log. */
  @Nullable String line() {
    return isTooLong ? null : characters.toString();
  }
}
