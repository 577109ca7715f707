package dev.bluebell.server;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file in a folder that others may write to: it is not opened through a symbolic link, and only
 * when it is this user's and has no other name.
 */
public final class OwnFile implements AutoCloseable {
  private static final int O_RDWR = 2;
  private static final int O_CREAT = 0100;
  private static final int O_NONBLOCK = 04000;
  private static final int O_CLOEXEC = 02000000;
  private static final int MODE = 0600;

  /** The bits of a file's mode that tell its type, and the type of files ({@code inode(7)}). */
  private static final int FILE_TYPE = 0170000;

  private static final int REGULAR = 0100000;
  private static final int ELOOP = 40;

  private final Path path;
  private final int fd;

  private OwnFile(Path path, int fd) {
    this.path = path;
    this.fd = fd;
  }

  /** Opens a file, and makes it when it is missing, for this user alone. */
  public static OwnFile open(Path path) throws IOException {
    int flags = O_RDWR | O_CREAT | Libc.O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    long fd;
    try (Arena arena = Arena.ofConfined()) {
      fd = Libc.open(arena.allocateFrom(path.toString()), flags, MODE);
    }
    if (fd < 0) {
      throw new IOException(
          fd == -ELOOP
              ? path + " is a symbolic link, and is not followed; remove it"
              : "%s can't be opened: errno %d".formatted(path, -fd));
    }
    OwnFile file = new OwnFile(path, (int) fd);
    if (file.attribute("uid") != Processes.userId()
        || file.attribute("nlink") != 1
        || (file.attribute("mode") & FILE_TYPE) != REGULAR) {
      file.close();
      throw new IOException(
          "%s is not a file of yours with this name alone, and stays; remove it".formatted(path));
    }
    return file;
  }

  /** True when what is at a path is this user's, whatever it is, or nothing is there. */
  public static boolean isOwn(Path path) throws IOException {
    try {
      return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)
          == Processes.userId();
    } catch (NoSuchFileException nothing) {
      return true;
    }
  }

  /** Refuses to go on where something of another user's is. */
  public static void requireOwn(Path path) throws IOException {
    if (!isOwn(path)) {
      throw new IOException("%s belongs to another user and stays; remove it".formatted(path));
    }
  }

  private int attribute(String name) throws IOException {
    return (Integer) Files.getAttribute(opened(), "unix:" + name);
  }

  /** The file that was opened, wherever it is now, as a path of this process. */
  public Path opened() {
    return Path.of("/proc/self/fd", Integer.toString(fd));
  }

  /** True when the file still has its name. */
  public boolean hasItsName() throws IOException {
    try {
      return Files.readAttributes(path, "unix:ino,dev", LinkOption.NOFOLLOW_LINKS)
          .equals(Files.readAttributes(opened(), "unix:ino,dev"));
    } catch (NoSuchFileException removed) {
      return false;
    }
  }

  /** Takes the file's name away. */
  public void remove() throws IOException {
    if (hasItsName()) {
      Files.delete(path);
    }
  }

  @Override
  public void close() {
    Libc.close(fd);
  }
}
