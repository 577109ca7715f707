package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Queries single mappings of a process by {@code PROCMAP_QUERY} (linux/fs.h), since Linux 6.11. The
 * time does not depend on the number of mappings, while the list in {@code /proc/PID/maps} must be
 * read from its start. Owned by one thread.
 */
final class MappingQuery implements Closeable {
  private static final long PROCMAP_QUERY = 0xc068_6611L;

  // struct procmap_query.
  private static final int BYTES = 104;
  private static final int SIZE = 0;
  private static final int FLAGS = 8;
  private static final int ADDRESS = 16;
  private static final int START = 24;
  private static final int END = 32;
  private static final int VMA_FLAGS = 40;
  private static final int OFFSET = 56;
  private static final int INODE = 64;
  private static final int NAME_SIZE = 80;
  private static final int NAME_ADDRESS = 88;

  /** Of the flags of a mapping; the lower three are those of mmap. */
  private static final int SHARED = 8;

  private static final int PROTECTION = 7;
  private static final long COVERING_OR_NEXT = 0x10;

  private static final int O_RDONLY = 0;
  private static final int ENOENT = 2;
  private static final int ENAMETOOLONG = 36;

  private static final boolean SUPPORTED = isAnswered();

  private final int fd;
  private final Arena arena;
  private final MemorySegment query;
  private final MemorySegment name;

  /**
   * Opens the list of a process's mappings, without reading it.
   *
   * @param maps {@code /proc/PID/maps}
   */
  MappingQuery(Path maps) throws IOException {
    fd = Libc.open(maps, O_RDONLY);
    arena = Arena.ofConfined();
    query = arena.allocate(BYTES, Long.BYTES);
    name = arena.allocate(Mapping.MAX_NAME + 1);
  }

  /** True when the kernel supports this query. */
  static boolean isSupported() {
    return SUPPORTED;
  }

  private static boolean isAnswered() {
    try (MappingQuery own = new MappingQuery(Path.of("/proc/self/maps"))) {
      return own.next(0).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** The mapping that contains an address, or the first one after it. */
  Optional<Mapping> next(long address) throws IOException {
    long result = ask(address, Mapping.MAX_NAME + 1);
    boolean isLong = result == -ENAMETOOLONG;
    if (isLong) {
      result = ask(address, 0);
    }
    if (result == -ENOENT) {
      return Optional.empty();
    }
    if (result < 0) {
      throw new IOException(
          "the kernel does not describe the mappings of a process: %s"
              .formatted(Libc.text(-result)));
    }
    long flags = query.get(JAVA_LONG, VMA_FLAGS);
    return Optional.of(
        new Mapping(
            query.get(JAVA_LONG, START),
            query.get(JAVA_LONG, END),
            (int) flags & PROTECTION,
            (flags & SHARED) != 0,
            query.get(JAVA_LONG, OFFSET),
            query.get(JAVA_LONG, INODE),
            isLong ? Mapping.LONG_NAME : name()));
  }

  private long ask(long address, int room) {
    query.fill((byte) 0);
    query.set(JAVA_LONG, SIZE, BYTES);
    query.set(JAVA_LONG, FLAGS, COVERING_OR_NEXT);
    query.set(JAVA_LONG, ADDRESS, address);
    query.set(JAVA_INT, NAME_SIZE, room);
    query.set(JAVA_LONG, NAME_ADDRESS, room == 0 ? 0 : name.address());
    return Libc.ioctl(fd, PROCMAP_QUERY, query);
  }

  // The kernel returns the length including the terminating 0.
  private String name() {
    int bytes = query.get(JAVA_INT, NAME_SIZE);
    return bytes == 0 ? "" : name.getString(0, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    Libc.close(fd);
    arena.close();
  }
}
