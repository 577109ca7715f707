package dev.bluebell.cli.perf;

import dev.bluebell.verbs.RemoteMemory;
import java.nio.ByteBuffer;

/**
 * One end of a connection, as a process describes it to the other.
 *
 * @param address address of the end, in the format of its kind
 * @param window memory for arriving messages; empty when it takes none
 * @param payload memory that the other may read
 */
record PeerEnd(byte[] address, RemoteMemory window, RemoteMemory payload) {
  /** Stands for no memory. */
  static final RemoteMemory NONE = new RemoteMemory(0, 0, 0);

  private static final int MAX_ADDRESS_BYTES = 256;

  PeerMessage message() {
    return new PeerMessage(
        PeerMessage.Kind.END,
        ByteBuffer.allocate(Short.BYTES + address.length + 2 * RemoteMemory.BYTES)
            .putShort((short) address.length)
            .put(address)
            .put(window.bytes())
            .put(payload.bytes())
            .array());
  }

  static PeerEnd of(PeerMessage message) {
    return message.read(
        in -> {
          int length = in.getShort();
          if (length < 0 || length > MAX_ADDRESS_BYTES) {
            throw new IllegalArgumentException("an address of %d bytes".formatted(length));
          }
          return new PeerEnd(take(in, length), memory(in), memory(in));
        });
  }

  private static RemoteMemory memory(ByteBuffer in) {
    return RemoteMemory.of(take(in, RemoteMemory.BYTES));
  }

  private static byte[] take(ByteBuffer in, int count) {
    byte[] bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }
}
