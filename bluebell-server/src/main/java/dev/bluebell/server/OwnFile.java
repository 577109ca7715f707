package dev.bluebell.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file in a folder that other users may write to. It is opened only if it is not a symbolic link,
 * belongs to this user and has a single hard link.
 */
public final class OwnFile implements AutoCloseable {
  private static final int O_RDWR = 2;
  private static final int O_CREAT = 0100;
  private static final int O_NONBLOCK = 04000;
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

  /** Opens a file, or creates it with access for this user only. */
  public static OwnFile open(Path path) throws IOException {
    long fd = Libc.tryOpen(path, O_RDWR | O_CREAT | Libc.O_NOFOLLOW | O_NONBLOCK, MODE);
    if (fd < 0) {
      throw new IOException(
          fd == -ELOOP
              ? path + " is a symbolic link, which is not followed; remove it"
              : "%s can't be opened: %s".formatted(path, Libc.text(-fd)));
    }
    OwnFile file = new OwnFile(path, (int) fd);
    try {
      if (file.attribute("uid") != Processes.userId()
          || file.attribute("nlink") != 1
          || (file.attribute("mode") & FILE_TYPE) != REGULAR) {
        throw new IOException(
            "%s is not a regular file that you own under a single name, and is not used; remove it"
                .formatted(path));
      }
      return file;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /** True when a path does not exist or belongs to this user, whatever its type. */
  public static boolean isOwn(Path path) throws IOException {
    try {
      return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)
          == Processes.userId();
    } catch (NoSuchFileException nothing) {
      return true;
    }
  }

  /** Throws when a path belongs to another user. */
  public static void requireOwn(Path path) throws IOException {
    if (!isOwn(path)) {
      throw new IOException(
          "%s belongs to another user and is not replaced; remove it".formatted(path));
    }
  }

  private int attribute(String name) throws IOException {
    return (Integer) Files.getAttribute(opened(), "unix:" + name);
  }

  /** Path of the opened file for this process, which stays valid after the file is moved. */
  public Path opened() {
    return Path.of("/proc/self/fd", Integer.toString(fd));
  }

  /** True when the path still refers to the opened file. */
  public boolean hasItsName() throws IOException {
    try {
      return Files.readAttributes(path, "unix:ino,dev", LinkOption.NOFOLLOW_LINKS)
          .equals(Files.readAttributes(opened(), "unix:ino,dev"));
    } catch (NoSuchFileException removed) {
      return false;
    }
  }

  /** Deletes the file if its name still refers to it. */
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
