package dev.bluebell.cli.command;

import dev.bluebell.hca.text.FileErrors;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that a command writes in addition to its output.
 *
 * @param what it is, such as {@code trace}
 */
public record OutputFile(String what, Path path) {

  /**
   * Checks that the file can be written, before work is done that would be lost. Leaves it empty.
   *
   * @throws WorkFailed when it can't
   */
  public void require() {
    write(new byte[0]);
  }

  /**
   * Writes the file.
   *
   * @throws WorkFailed when it can't be written
   */
  public void write(byte[] contents) {
    try (OutputStream out = open()) {
      out.write(contents);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /**
   * Opens the file, empty. Writing and closing it throw {@link WorkFailed} when they fail.
   *
   * @throws WorkFailed when it can't be written
   */
  public OutputStream open() {
    try {
      return new FilterOutputStream(Files.newOutputStream(path)) {
        @Override
        public void write(byte[] bytes, int from, int count) {
          try {
            out.write(bytes, from, count);
          } catch (IOException e) {
            throw failure(e);
          }
        }

        @Override
        public void close() {
          try {
            super.close();
          } catch (IOException e) {
            throw failure(e);
          }
        }
      };
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private WorkFailed failure(IOException why) {
    return new WorkFailed(
        "the %s can't be written to %s: %s; name another file"
            .formatted(what, path, FileErrors.whyNotWritten(why)));
  }

  /** Writes the file, and prints its path and a summary. */
  public void write(byte[] contents, PrintWriter err, String summary) {
    write(contents);
    announce(err, summary);
  }

  /** Prints the path of the written file and a summary. */
  public void announce(PrintWriter err, String summary) {
    err.println("bluebell: wrote the %s %s: %s".formatted(what, path.toAbsolutePath(), summary));
    err.flush();
  }
}
