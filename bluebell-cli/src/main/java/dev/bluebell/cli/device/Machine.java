package dev.bluebell.cli.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the kernel says of a machine in /sys, /proc and /dev.
 *
 * @param root the folder that has them, / on the machine itself
 */
record Machine(Path root) {
  /** The machine that this process runs on. */
  static final Machine OWN = new Machine(Path.of("/"));

  /** A file or folder, by its path without the leading slash. */
  Path path(String name) {
    return root.resolve(name);
  }

  boolean has(String name) {
    return Files.exists(path(name));
  }

  /** The text of a file without blanks around it; empty when it can't be read. */
  Optional<String> text(String name) {
    try {
      return Optional.of(Files.readString(path(name)).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The names in a folder, in order; none when there is no such folder. */
  List<String> names(String folder) {
    try (Stream<Path> entries = Files.list(path(folder))) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The last name of what a symbolic link points to. */
  Optional<String> target(String link) {
    try {
      return Optional.ofNullable(Files.readSymbolicLink(path(link)).getFileName())
          .map(Path::toString);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A line of a file such as /proc/self/status, behind its key and a colon. */
  Optional<String> value(String file, String key) {
    return text(file).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith(key + ":"))
        .map(line -> line.substring(key.length() + 1).strip())
        .findFirst();
  }
}
