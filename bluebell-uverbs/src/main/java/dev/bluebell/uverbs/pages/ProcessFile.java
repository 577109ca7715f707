package dev.bluebell.uverbs.pages;

import dev.bluebell.server.WatchedProcess;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the kernel says of a process in files of its folder under {@code /proc}. */
final class ProcessFile {
  private ProcessFile() {}

  /**
   * The first group of a pattern in the first line that it matches.
   *
   * @throws IOException when no line of the file does
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
