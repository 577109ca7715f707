package dev.bluebell.cli.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A machine as the kernel describes it in /sys, /proc and /dev.
 *
 * @param root the folder that contains them; / on the machine itself
 */
public record Machine(Path root) {
  /** The machine that this process runs on. */
  public static final Machine OWN = new Machine(Path.of("/"));

  /** A file or folder, by its path without the leading slash. */
  Path path(String name) {
    return root.resolve(name);
  }

  /** True for a file or folder that exists. */
  public boolean has(String name) {
    return Files.exists(path(name));
  }

  /** The text of a file without surrounding white space; empty if it can't be read. */
  public Optional<String> text(String name) {
    try {
      return Optional.of(Files.readString(path(name)).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The contents of a file; empty if it can't be read. */
  byte[] bytes(String name) {
    try {
      return Files.readAllBytes(path(name));
    } catch (IOException e) {
      return new byte[0];
    }
  }

  /** The path of a file or folder without symbolic links; its own path if it does not exist. */
  Path real(String name) {
    try {
      return path(name).toRealPath();
    } catch (IOException e) {
      return path(name);
    }
  }

  /** The sorted names in a folder; empty if the folder does not exist. */
  List<String> names(String folder) {
    try (Stream<Path> entries = Files.list(path(folder))) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The last name in the target of a symbolic link. */
  Optional<String> target(String link) {
    try {
      return Optional.ofNullable(Files.readSymbolicLink(path(link)).getFileName())
          .map(Path::toString);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The value after a key and a colon, in a file such as /proc/self/status. */
  Optional<String> value(String file, String key) {
    return text(file).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith(key + ":"))
        .map(line -> line.substring(key.length() + 1).strip())
        .findFirst();
  }
}
