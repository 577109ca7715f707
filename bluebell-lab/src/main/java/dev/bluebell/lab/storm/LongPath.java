package dev.bluebell.lab.storm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Mappings of a file with a path of maximum length; each of them has a line with that path in
 * {@code /proc/PID/maps}.
 */
final class LongPath {
  private static final int PAGE = 4096;
  private static final int FOLDERS = 15;
  private static final int NAME_BYTES = 250;

  private LongPath() {}

  /**
   * Maps the first page of such a file, which is already deleted, for the lifetime of the process.
   */
  static void map(int times) throws IOException {
    Path top = Files.createTempDirectory("bluebell-storm");
    List<Path> made = new ArrayList<>(List.of(top));
    for (int i = 0; i < FOLDERS; i++) {
      made.add(Files.createDirectory(made.getLast().resolve("x".repeat(NAME_BYTES))));
    }
    made.add(made.getLast().resolve("file"));
    try (FileChannel file =
        FileChannel.open(
            made.getLast(),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      // The mappings keep the path, and nothing remains when this process is killed.
      for (Path path : made.reversed()) {
        Files.delete(path);
      }
      for (int i = 0; i < times; i++) {
        MemorySegment unused = file.map(FileChannel.MapMode.READ_WRITE, 0, PAGE, Arena.global());
      }
    }
  }
}
