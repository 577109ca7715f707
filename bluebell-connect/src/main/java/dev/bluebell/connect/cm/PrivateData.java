package dev.bluebell.connect.cm;

import dev.bluebell.connect.Offer;
import dev.bluebell.verbs.RemoteMemory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The encoding of an offer as the private data of a message. Without memory, it is the plain
 * private bytes, as any application sends them. With memory, the private bytes come first, and the
 * field ends with {memory …, number of private bytes, pieces of memory, mark}, big-endian;
 * applications that do not know this form read their bytes from the start.
 */
final class PrivateData {
  private static final int MARK = 0x62_62_4f_46;
  private static final int END_BYTES = 2 + Integer.BYTES;

  /**
   * The private data of a rejection that is not the application's decision: the server closes, has
   * too many requests, or failed to accept. Other applications ignore it.
   */
  private static final byte[] NOT_NOW =
      "bluebell-connect: not now".getBytes(StandardCharsets.US_ASCII);

  private PrivateData() {}

  static byte[] notNow() {
    return NOT_NOW.clone();
  }

  /**
   * True when a server with Bluebell rejected a request for now.
   *
   * @param bytes of a rejection, as they were received
   */
  static boolean isNotNow(byte[] bytes) {
    return bytes.length >= NOT_NOW.length
        && Arrays.equals(bytes, Arrays.copyOf(NOT_NOW, bytes.length));
  }

  /**
   * The bytes of an offer.
   *
   * @param room bytes that the message has for private data
   * @throws IllegalArgumentException when the offer is too large
   */
  static byte[] of(Offer offer, int room) {
    byte[] data = offer.privateData();
    List<RemoteMemory> memory = offer.memory();
    int end = memory.isEmpty() ? 0 : memory.size() * RemoteMemory.BYTES + END_BYTES;
    if (data.length + end > room) {
      throw new IllegalArgumentException(
          "%d private bytes and %d pieces of memory take %d bytes, and a message of RDMA CM has room for %d here"
              .formatted(data.length, memory.size(), data.length + end, room));
    }
    if (memory.isEmpty()) {
      return data;
    }
    ByteBuffer bytes = ByteBuffer.allocate(room).put(data).position(room - end);
    memory.forEach(piece -> bytes.put(piece.bytes()));
    bytes.put((byte) data.length).put((byte) memory.size()).putInt(MARK);
    return bytes.array();
  }

  /** Decodes received private data, which may be any bytes. */
  static Offer offer(byte[] bytes) {
    int end = bytes.length - END_BYTES;
    if (end < 0 || ByteBuffer.wrap(bytes).getInt(bytes.length - Integer.BYTES) != MARK) {
      return new Offer(bytes, List.of());
    }
    int data = bytes[end] & 0xff;
    int pieces = bytes[end + 1] & 0xff;
    int first = end - pieces * RemoteMemory.BYTES;
    if (pieces == 0 || data > first) {
      return new Offer(bytes, List.of());
    }
    try {
      List<RemoteMemory> memory = new ArrayList<>();
      for (int at = first; at < end; at += RemoteMemory.BYTES) {
        memory.add(RemoteMemory.of(Arrays.copyOfRange(bytes, at, at + RemoteMemory.BYTES)));
      }
      return new Offer(Arrays.copyOf(bytes, data), memory);
    } catch (IllegalArgumentException e) {
      // Not our form: these are plain private bytes.
      return new Offer(bytes, List.of());
    }
  }
}
