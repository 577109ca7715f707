package dev.bluebell.uverbs.call;

import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.Processes;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.server.ShimProtocol;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The protocol with the shim in the client: a request, then any number of actions for the shim,
 * then the result. A message has four 8-byte words {kind, a, b, c}, some followed by a name; the
 * other side is {@code shim.c}. Input is not trusted. For one thread.
 */
public final class ShimChannel {
  public static final int PROTOCOL_VERSION = ShimProtocol.VERSION;

  /** Bits of the greeting's last word: options that were set when the client was started. */
  public static final long MAP_MEMORY = 1;

  public static final long LOCK_MEMORY = 2;

  /** Like {@link #MAP_MEMORY}, but only where the client can't notice it. */
  public static final long MAP_UNNOTICED = 4;

  private static final int HEADER_BYTES = ShimProtocol.WORDS * Long.BYTES;

  /** Bytes of the name in requests that have one, padded with zeros. */
  private static final int NAME_BYTES = 64;

  private static final int DONE = 3;
  private static final int RESULT = ShimProtocol.RESULT;
  private static final int INSTALL = 1;
  private static final int MAP = 2;
  private static final int UNMAP = 3;
  private static final int UNMAP_ALONE = 4;

  private final LocalSocket socket;
  private final MemorySegment question =
      Arena.ofAuto().allocate(HEADER_BYTES + NAME_BYTES, Long.BYTES);
  private final MemorySegment message = question.asSlice(0, HEADER_BYTES);

  /** Kinds of request. */
  public enum Kind {
    HELLO(ShimProtocol.HELLO),
    IOCTL(ShimProtocol.IOCTL),
    WRITE(ShimProtocol.WRITE),
    COUNTER(ShimProtocol.COUNTER),
    MISSING(ShimProtocol.MISSING),
    /** A greeting that opens the connection manager instead of a device file. */
    MANAGER(ShimProtocol.MANAGER);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    private static @Nullable Kind of(long code) {
      return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst().orElse(null);
    }
  }

  /**
   * A request; the meaning of its words depends on the kind.
   *
   * @param name the subject of the request; empty for most kinds
   */
  public record Request(Kind kind, long a, long b, long c, String name) {}

  public ShimChannel(LocalSocket socket) {
    this.socket = socket;
  }

  /** Waits for the next request; null when no request will follow. */
  public @Nullable Request next() throws IOException {
    int bytes = socket.next(question);
    if (bytes == 0) {
      return null;
    }
    Kind kind = bytes < HEADER_BYTES ? null : Kind.of(word(0));
    boolean isNamed = kind == Kind.COUNTER || kind == Kind.MISSING;
    if (kind == null || bytes != HEADER_BYTES + (isNamed ? NAME_BYTES : 0)) {
      throw new IOException("a client sent %d bytes, which are not a request".formatted(bytes));
    }
    return new Request(kind, word(1), word(2), word(3), isNamed ? name() : "");
  }

  private String name() {
    byte[] bytes = question.asSlice(HEADER_BYTES).toArray(ValueLayout.JAVA_BYTE);
    String padded = new String(bytes, StandardCharsets.ISO_8859_1);
    int end = padded.indexOf(0);
    return end < 0 ? padded : padded.substring(0, end);
  }

  private long word(int index) {
    return message.getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  private void compose(long kind, long a, long b, long c) {
    message.setAtIndex(ValueLayout.JAVA_LONG, 0, kind);
    message.setAtIndex(ValueLayout.JAVA_LONG, 1, a);
    message.setAtIndex(ValueLayout.JAVA_LONG, 2, b);
    message.setAtIndex(ValueLayout.JAVA_LONG, 3, c);
  }

  /** True when the first message of a connection, which has arrived, opens the manager. */
  public static boolean opensManager(LocalSocket connection) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(HEADER_BYTES, Long.BYTES);
      return connection.peek(first) == HEADER_BYTES
          && first.get(ValueLayout.JAVA_LONG, 0) == ShimProtocol.MANAGER;
    } catch (IOException e) {
      // A longer message, or one that the thread of the connection will refuse.
      return false;
    }
  }

  /** Ends a request; negative results are error numbers. */
  public void result(long result) throws IOException {
    compose(RESULT, result, 0, 0);
    socket.send(message);
  }

  /** Ends the greeting by passing a descriptor of this process to the client. */
  public void resultWith(int fd) throws IOException {
    compose(RESULT, 0, 0, 0);
    socket.send(message, fd);
  }

  /** Rejects a greeting of a different protocol version. */
  public static void requireVersion(Request greeting) {
    Refusal.require(
        greeting.a() == PROTOCOL_VERSION,
        Errno.EPROTO,
        "the client's library speaks version %d, and the device process speaks %d",
        greeting.a(),
        PROTOCOL_VERSION);
  }

  /**
   * Gives the client a descriptor to read events from.
   *
   * @param last the event that the first read returns after this process is gone, before reads
   *     fail; up to 16 bytes
   * @return the number of the descriptor in the client
   */
  public int install(int fd, byte[] last) throws IOException {
    ByteBuffer event =
        ByteBuffer.wrap(Arrays.copyOf(last, 2 * Long.BYTES)).order(ByteOrder.nativeOrder());
    compose(INSTALL, last.length, event.getLong(), event.getLong());
    socket.send(message, fd);
    return (int) awaitDone();
  }

  /** Replaces pages of the client by shared memory, keeping their contents. */
  public void map(long address, SharedMemory memory) throws IOException {
    compose(MAP, 0, address, memory.segment().byteSize());
    socket.send(message, memory.fd());
    long unused = awaitDone();
  }

  /**
   * Replaces shared pages by private memory of the client, keeping their contents.
   *
   * @param pages with one protection, which they keep
   * @param alone whether the client has one thread: the private pages then become one mapping with
   *     those beside them, but are empty for a moment
   * @throws IOException when the client hung up or did not answer; no further message is exchanged
   */
  public void unmap(Processes.Span pages, boolean alone) throws IOException {
    compose(alone ? UNMAP_ALONE : UNMAP, pages.protection(), pages.from(), pages.bytes());
    try {
      socket.send(message);
      long unused = awaitDone();
    } catch (IOException lost) {
      // Callers continue, and a late answer must not be taken for that to another message.
      socket.shutdown();
      throw lost;
    }
  }

  private long awaitDone() throws IOException {
    int bytes = socket.next(message);
    if (bytes == 0) {
      throw new SocketException("a client ended in the middle of a call");
    }
    if (bytes != message.byteSize() || word(0) != DONE) {
      throw new IOException("a client sent no answer in the middle of a call");
    }
    if (word(1) != 0) {
      throw word(1) == Errno.EMFILE
          ? new Refusal(Errno.EMFILE, "the client has no descriptor left; raise its ulimit -n")
          : new Refusal(Errno.ENOMEM, "the client could not map memory, with errno " + word(1));
    }
    return word(2);
  }
}
