package dev.bluebell.uverbs.pages;

import dev.bluebell.server.WatchedProcess;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads values from a process's files under {@code /proc}. */
final class ProcessFile {
  private ProcessFile() {}

  /**
   * The first group of a pattern in the first matching line.
   *
   * @throws IOException when no line matches
   */
  static String word(WatchedProcess process, String file, Pattern pattern) throws IOException {
    StringBuilder found = new StringBuilder();
    process.lines(
        file,
        line -> {
          Matcher matcher = pattern.matcher(line);
          if (matcher.matches()) {
            found.append(matcher.group(1));
          }
          return found.isEmpty();
        });
    if (found.isEmpty()) {
      throw new IOException(
          "/proc/%d/%s has no line of the form %s".formatted(process.pid(), file, pattern));
    }
    return found.toString();
  }
}
