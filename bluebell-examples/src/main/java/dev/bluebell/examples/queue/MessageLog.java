package dev.bluebell.examples.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file with 16 bytes of each message: its number, and its first 8 bytes, padded with zeros.
 * Written messages survive the process; to survive the machine they would have to be forced to the
 * disk.
 */
public final class MessageLog implements MessageHandler, AutoCloseable {
  private static final int RECORD_BYTES = 16;

  private final FileChannel file;
  private final ByteBuffer record = ByteBuffer.allocateDirect(RECORD_BYTES);

  /** Opens or creates a file; an incomplete record is dropped. */
  public MessageLog(Path path) throws IOException {
    file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    file.truncate(next() * RECORD_BYTES).position(next() * RECORD_BYTES);
  }

  /** Number of the first message that is not in the file. */
  public long next() throws IOException {
    return file.size() / RECORD_BYTES;
  }

  @Override
  public void take(long number, ByteBuffer message) {
    int bytes = Math.min(message.remaining(), Long.BYTES);
    record.clear().putLong(0, number).putLong(Long.BYTES, 0);
    record.put(Long.BYTES, message, message.position(), bytes);
    try {
      while (record.hasRemaining()) {
        int unused = file.write(record);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first 8 bytes of a message. */
  long message(long number) throws IOException {
    record.clear();
    while (record.hasRemaining()
        && file.read(record, number * RECORD_BYTES + record.position()) > 0) {
      // The rest of it.
    }
    if (record.hasRemaining() || record.getLong(0) != number) {
      throw new IOException("message %d is not in the file".formatted(number));
    }
    return record.getLong(Long.BYTES);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
