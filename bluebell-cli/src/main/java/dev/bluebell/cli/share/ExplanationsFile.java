package dev.bluebell.cli.share;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bluebell.cli.command.OutputFile;
import dev.bluebell.cli.command.WorkFailed;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of explanations. Each is written as it arrives: an application that hangs may be killed
 * together with {@code bluebell run}. Thread-safe.
 */
final class ExplanationsFile {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final PrintStream out;
  private @Nullable WorkFailed failure;

  private ExplanationsFile(OutputStream out) {
    this.out = new PrintStream(out, false, UTF_8);
  }

  /**
   * Opens the file, empty.
   *
   * @throws WorkFailed when it can't be written
   */
  static ExplanationsFile open(Path path) {
    return new ExplanationsFile(new OutputFile("explanations", path).open());
  }

  /** Stands for no file. */
  static ExplanationsFile none() {
    return new ExplanationsFile(OutputStream.nullOutputStream());
  }

  /**
   * Writes an explanation and the lines that belong to it; false if they are lost.
   *
   * @param time when it was received, which is written in UTC
   */
  synchronized boolean write(Instant time, String explanation, List<String> more) {
    StringBuilder lines = new StringBuilder();
    lines.append(TIME.format(time)).append(' ').append(explanation).append('\n');
    more.forEach(line -> lines.append(line).append('\n'));
    try {
      out.writeBytes(lines.toString().getBytes(UTF_8));
      return true;
    } catch (WorkFailed lost) {
      failure = lost;
      return false;
    }
  }

  /**
   * Closes the file.
   *
   * @throws WorkFailed when lines were lost
   */
  synchronized void close() {
    out.close();
    if (failure != null) {
      throw failure;
    }
  }
}
