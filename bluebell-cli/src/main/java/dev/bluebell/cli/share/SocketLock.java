package dev.bluebell.cli.share;

import dev.bluebell.server.OwnFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The right to listen at a socket: the lock of a file beside it, which goes with the lock, and
 * which says meanwhile what device listens there.
 */
final class SocketLock implements AutoCloseable {
  private final OwnFile file;
  private final FileChannel channel;

  private SocketLock(OwnFile file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Takes the lock; null when another process has it. */
  static @Nullable SocketLock tryToTake(Path path) throws IOException {
    while (true) {
      SocketLock lock = open(path);
      if (!lock.isTaken()) {
        lock.leave();
        return null;
      }
      if (lock.file.hasItsName()) {
        return lock;
      }
      // Who had it has just removed the file: the lock of a file without a name keeps nobody out.
      lock.leave();
    }
  }

  private static SocketLock open(Path path) throws IOException {
    OwnFile file = OwnFile.open(path);
    try {
      return new SocketLock(file, FileChannel.open(file.opened(), StandardOpenOption.WRITE));
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private boolean isTaken() throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private void leave() throws IOException {
    channel.close();
    file.close();
  }

  /** Says what device listens at the socket. */
  void say(String device) throws IOException {
    channel.truncate(0);
    int unused = channel.write(StandardCharsets.UTF_8.encode(device), 0);
  }

  /** What {@link #say} said; empty when nobody said anything. */
  static String said(Path path) throws IOException {
    try {
      return Files.readString(path);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  /** Removes the file. */
  void remove() throws IOException {
    file.remove();
  }

  /** Removes the file and gives the lock back, in this order. */
  @Override
  public void close() throws IOException {
    remove();
    leave();
  }
}
