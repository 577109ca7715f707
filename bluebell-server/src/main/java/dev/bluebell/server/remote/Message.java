package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.server.LocalSocket;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The bytes of a message: numbers, byte strings and text, taken in the order in which they were
 * put. Input is not trusted: a take throws {@link Malformed} for a missing value. Not thread-safe.
 */
final class Message {
  /** Largest message; longer answers are sent in parts. */
  static final int MAX_BYTES = 1 << 16;

  private static final int USUAL_BYTES = 512;

  /** Most bytes of an answer that one part carries, behind its kind. */
  private static final int PART_BYTES = MAX_BYTES - Integer.BYTES;

  /** First word of the first message of a Java client; no other kind of client sends it. */
  static final long HELLO = 0x626c_7565_6265_6c6cL;

  /** First word of the first message of an observer. */
  static final long OBSERVE = 0x6f62_7365_7276_6521L;

  /** First word of the only message of a connection that asks for the queues of all clients. */
  static final long LIST = 0x6c69_7374_2061_6c6cL;

  static final int VERSION = 10;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /**
   * The requests of a client. Both ends put and take the values after the kind in the same order.
   */
  enum Request {
    CREATE,
    EXECUTE,
    MODIFY,
    QUERY,
    DESTROY,
    ALLOCATE_DOMAIN,
    ALLOCATE_UAR,
    ALLOCATE_MEMORY,
    FREE_MEMORY,
    REGISTER_UMEM,
    REGISTER_SHARED,
    REGISTER_FOREIGN,
    EVENT_QUEUE,
    RESOLVE,
    PORT,
    GID,
    CLOCK,
    SUBSCRIBE,
    CLOSE_CHANNEL,
    EXPLAIN,
    EXPLANATIONS,
    FLIGHT_RECORD,
    OBJECTS,
    TRACE,
    ALLOCATE_DEVICE_MEMORY,
    HAND_OVER,
    RESIDENTS,
    REMOVE_RESIDENT,
    NOTICE,
    JOIN_RESIDENT,
    DIAGNOSE_RESIDENT
  }

  /** The messages of a device process. */
  enum Reply {
    /** A request was executed; its result follows. */
    DONE,
    /** Like DONE, but the rest of the result follows in further messages. */
    PART,
    /** The device refused: output, then the message. */
    REFUSED,
    /** The request is invalid: the message. */
    ILLEGAL,
    /** An event, which answers no request. */
    EVENT
  }

  /** Thrown for a message that violates the protocol. */
  static final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Malformed(String what) {
      super(what, null, false, false);
    }
  }

  private ByteBuffer bytes;

  private Message(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** Begins a new message with the ordinal of its kind. */
  static Message of(Enum<?> kind) {
    return new Message(ByteBuffer.allocate(USUAL_BYTES)).put(kind.ordinal());
  }

  /** Begins the answer to a request that was executed. */
  static Message done() {
    return of(Reply.DONE);
  }

  /** The first message of a client. */
  static Message hello() {
    return new Message(ByteBuffer.allocate(USUAL_BYTES)).put(HELLO).put(VERSION);
  }

  /**
   * The first message of an observer.
   *
   * @param traces whether the clients are to be traced
   */
  static Message observe(boolean traces) {
    return new Message(ByteBuffer.allocate(USUAL_BYTES))
        .put(OBSERVE)
        .put(VERSION)
        .put(traces ? 1 : 0);
  }

  /** The only message of a connection that asks for the queues of all clients. */
  static Message list() {
    return new Message(ByteBuffer.allocate(USUAL_BYTES)).put(LIST).put(VERSION);
  }

  /** Waits for the first message of a connection, and leaves it there. */
  static boolean beginsWith(long word, LocalSocket connection) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(MAX_BYTES, Long.BYTES);
      return connection.peek(memory) >= Long.BYTES && memory.get(WORD, 0) == word;
    }
  }

  /** A message that arrived. */
  static Message over(byte[] bytes) {
    return new Message(ByteBuffer.wrap(bytes));
  }

  /** The first {@code count} bytes of received memory, as a message. */
  static Message received(MemorySegment memory, int count) {
    return over(memory.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
  }

  Message put(int value) {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  Message put(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  Message put(byte[] value) {
    put(value.length);
    room(value.length).put(value);
    return this;
  }

  Message put(String value) {
    return put(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Appends lines of text. */
  Message put(List<String> lines) {
    put(lines.size());
    lines.forEach(this::put);
    return this;
  }

  /** Appends entries of the flight record. */
  Message putHappenings(List<HcaHappening> happenings) {
    put(happenings.size());
    for (HcaHappening each : happenings) {
      put(each.nanos()).put(each.kind()).put(each.number()).put(each.index()).put(each.detail());
      put(Objects.requireNonNullElse(each.text(), ""));
    }
    return this;
  }

  private ByteBuffer room(int more) {
    if (bytes.remaining() < more) {
      int size = Math.max(bytes.position() + more, 2 * bytes.capacity());
      bytes = ByteBuffer.allocate(size).put(bytes.flip());
    }
    return bytes;
  }

  int takeInt() {
    try {
      return bytes.getInt();
    } catch (BufferUnderflowException e) {
      throw truncated();
    }
  }

  long takeLong() {
    try {
      return bytes.getLong();
    } catch (BufferUnderflowException e) {
      throw truncated();
    }
  }

  byte[] takeBytes() {
    int count = takeInt();
    if (count < 0 || count > bytes.remaining()) {
      throw truncated();
    }
    byte[] value = new byte[count];
    bytes.get(value);
    return value;
  }

  String takeString() {
    return new String(takeBytes(), StandardCharsets.UTF_8);
  }

  /** Lines of text. */
  List<String> takeLines() {
    List<String> lines = new ArrayList<>();
    for (int left = takeInt(); left > 0; left--) {
      lines.add(takeString());
    }
    return lines;
  }

  /** Entries of the flight record. */
  List<HcaHappening> takeHappenings() {
    List<HcaHappening> happenings = new ArrayList<>();
    for (int left = takeInt(); left > 0; left--) {
      long nanos = takeLong();
      int kind = takeInt();
      int number = takeInt();
      int index = takeInt();
      int detail = takeInt();
      String text = takeString();
      happenings.add(
          new HcaHappening(nanos, kind, number, index, detail, text.isEmpty() ? null : text));
    }
    return happenings;
  }

  /** All remaining bytes. */
  byte[] takeRest() {
    byte[] value = new byte[bytes.remaining()];
    bytes.get(value);
    return value;
  }

  /** A number that is the ordinal of a constant. */
  <E extends Enum<E>> E takeKind(Class<E> kinds) {
    int ordinal = takeInt();
    E[] all = kinds.getEnumConstants();
    if (ordinal < 0 || ordinal >= all.length) {
      throw new Malformed("number %d is not a %s".formatted(ordinal, kinds.getSimpleName()));
    }
    return all[ordinal];
  }

  private static Malformed truncated() {
    return new Malformed("a message is too short for its kind");
  }

  /**
   * Sends the composed message.
   *
   * @param out memory of {@link #MAX_BYTES}, for one sender at a time
   * @param descriptor is sent with it; -1 for none
   * @throws IllegalArgumentException when the message is too long
   */
  void send(LocalSocket socket, MemorySegment out, int descriptor) throws IOException {
    int count = bytes.position();
    if (count > MAX_BYTES) {
      throw new IllegalArgumentException(
          "a request to a device process has at most %d bytes, and this one has %d"
              .formatted(MAX_BYTES, count));
    }
    MemorySegment all = copy(0, count, out);
    if (descriptor < 0) {
      socket.send(all);
    } else {
      socket.send(all, descriptor);
    }
  }

  /**
   * Sends the composed answer once, however long it is: all but its end as {@linkplain Reply#PART
   * parts}.
   */
  void sendInParts(LocalSocket socket, MemorySegment out) throws IOException {
    int kind = bytes.getInt(0);
    int from = 0;
    // The kind of a piece replaces the last bytes of the piece before, which was sent already.
    for (; bytes.position() - from > MAX_BYTES; from += PART_BYTES) {
      bytes.putInt(from, Reply.PART.ordinal());
      socket.send(copy(from, MAX_BYTES, out));
    }
    bytes.putInt(from, kind);
    socket.send(copy(from, bytes.position() - from, out));
  }

  private MemorySegment copy(int from, int count, MemorySegment to) {
    MemorySegment.copy(bytes.array(), from, to, ValueLayout.JAVA_BYTE, 0, count);
    return to.asSlice(0, count);
  }
}
