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
 * The right to listen at a socket: the lock of a file next to it. The file contains the device that
 * listens there, and is removed with the lock.
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
      // Its previous owner has just removed the file, and a lock of a removed file keeps no other
      // process out.
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

  /** Writes the device that listens at the socket into the file. */
  void say(String device) throws IOException {
    channel.truncate(0);
    int unused = channel.write(StandardCharsets.UTF_8.encode(device), 0);
  }

  /** The text that {@link #say} wrote; empty if there is none. */
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

  /** Removes the file and releases the lock, in this order. */
  @Override
  public void close() throws IOException {
    remove();
    leave();
  }
}
