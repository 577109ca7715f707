package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A reference to a file that allows neither reading nor writing, but keeps the inode alive: while
 * it is held, no other file gets its inode number, even after the file was unlinked.
 */
public final class HeldFile implements Closeable {
  private static final int O_PATH = 010000000;

  // linux/stat.h and linux/fcntl.h.
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int AT_STATX_DONT_SYNC = 0x4000;
  private static final int STATX_INO = 0x100;
  private static final int STATX_BYTES = 256;
  private static final int INODE = 32;
  private static final int DEVICE_MAJOR = 136;
  private static final int DEVICE_MINOR = 140;

  private final int fd;
  private final Object key;
  private boolean closed;

  /** Identity of a held file. */
  private record Key(int major, int minor, long inode) {}

  private HeldFile(int fd, Object key) {
    this.fd = fd;
    this.key = key;
  }

  static HeldFile open(Path path) throws IOException {
    int fd = Libc.open(path, O_PATH);
    try {
      return new HeldFile(fd, key(fd));
    } catch (IOException e) {
      Libc.close(fd);
      throw e;
    }
  }

  /** The {@link #key()} of the file that is open at a descriptor of this process. */
  static Object key(int fd) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(STATX_BYTES, Long.BYTES);
      // Uses the kernel's cached attributes: the server of the file system may never answer.
      int flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
      Libc.statx(fd, arena.allocateFrom(""), flags, STATX_INO, answer);
      return new Key(
          answer.get(JAVA_INT, DEVICE_MAJOR),
          answer.get(JAVA_INT, DEVICE_MINOR),
          answer.get(JAVA_LONG, INODE));
    }
  }

  /** Identity of the file: equal for two held files if they are the same file. */
  public Object key() {
    return key;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Libc.close(fd);
    }
  }
}
