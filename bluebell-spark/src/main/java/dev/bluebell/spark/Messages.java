package dev.bluebell.spark;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages between two executors, big-endian. The reader sends {@code LOCATE} to ask where
 * blocks are. The answer is {@code LOCATED}; their memory then stays registered until the reader
 * sends {@code RELEASE} or its connection ends. Messages from peers are validated here.
 */
final class Messages {
  static final int BYTES = 8192;

  static final int LOCATE = 1;
  static final int LOCATED = 2;
  static final int RELEASE = 3;

  private static final int HEADER_BYTES = 12;
  private static final int BLOCK_BYTES = 20;
  private static final int PLACE_BYTES = 16;

  /** Most blocks of a message. */
  static final int MAX_BLOCKS = (BYTES - HEADER_BYTES) / BLOCK_BYTES;

  private Messages() {}

  /** The location of a block in the memory of the peer. */
  record Place(long address, int rkey, int length) {}

  /**
   * The start of each message.
   *
   * @param request number of the request, by which the reader identifies the answer
   * @param count number of blocks; −1 in an answer that refuses them: they cannot be read by RDMA
   */
  record Header(int type, int request, int count) {
    boolean isRefusal() {
      return count < 0;
    }
  }

  static void putLocate(ByteBuffer to, int request, List<Block> blocks) {
    to.putInt(LOCATE).putInt(request).putInt(blocks.size());
    for (Block block : blocks) {
      to.putInt(block.shuffle()).putLong(block.map());
      to.putInt(block.firstPartition()).putInt(block.endPartition());
    }
  }

  static void putLocated(ByteBuffer to, int request, List<Place> places) {
    to.putInt(LOCATED).putInt(request).putInt(places.size());
    for (Place place : places) {
      to.putLong(place.address()).putInt(place.rkey()).putInt(place.length());
    }
  }

  static void putRefusal(ByteBuffer to, int request) {
    to.putInt(LOCATED).putInt(request).putInt(-1);
  }

  static byte[] release(int request) {
    return ByteBuffer.allocate(HEADER_BYTES).putInt(RELEASE).putInt(request).putInt(0).array();
  }

  /**
   * Reads the start of a message.
   *
   * @throws IllegalArgumentException when the message is not one of these
   */
  static Header header(ByteBuffer from) {
    if (from.remaining() < HEADER_BYTES) {
      throw new IllegalArgumentException(
          "a message has at least %d bytes, not %d".formatted(HEADER_BYTES, from.remaining()));
    }
    Header header = new Header(from.getInt(), from.getInt(), from.getInt());
    int size =
        switch (header.type) {
          case LOCATE -> BLOCK_BYTES;
          case LOCATED -> PLACE_BYTES;
          case RELEASE -> 0;
          default -> throw new IllegalArgumentException("unknown message type " + header.type);
        };
    boolean refusal = header.type == LOCATED && header.count == -1;
    if (!refusal
        && (header.count < 0
            || header.count > MAX_BLOCKS
            || from.remaining() != header.count * size)) {
      throw new IllegalArgumentException(
          "a message of type %d with %d blocks can't have %d bytes"
              .formatted(header.type, header.count, HEADER_BYTES + from.remaining()));
    }
    return header;
  }

  /** The blocks of a {@code LOCATE} whose header was read. */
  static List<Block> blocks(Header header, ByteBuffer from) {
    List<Block> blocks = new ArrayList<>(header.count);
    for (int i = 0; i < header.count; i++) {
      Block block = new Block(from.getInt(), from.getLong(), from.getInt(), from.getInt());
      if (block.shuffle() < 0
          || block.map() < 0
          || block.firstPartition() < 0
          || block.endPartition() <= block.firstPartition()) {
        throw new IllegalArgumentException("invalid block: " + block);
      }
      blocks.add(block);
    }
    return blocks;
  }

  /** The places of a {@code LOCATED} that is not a refusal and whose header was read. */
  static List<Place> places(Header header, ByteBuffer from) {
    List<Place> places = new ArrayList<>(header.count);
    for (int i = 0; i < header.count; i++) {
      Place place = new Place(from.getLong(), from.getInt(), from.getInt());
      if (place.length < 0) {
        throw new IllegalArgumentException("a block can't have %d bytes".formatted(place.length));
      }
      places.add(place);
    }
    return places;
  }
}
