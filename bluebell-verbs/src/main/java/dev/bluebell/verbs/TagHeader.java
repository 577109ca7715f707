package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.RendezvousHeader;
import dev.bluebell.hca.wqe.TagMatchingHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The 16-byte header of a message to a {@link TagMatchingReceiveQueue}, and the 16 bytes after it
 * in a message that offers its payload instead of carrying it. Mirrors {@code tm_types.h: ibv_tmh,
 * ibv_rvh}; numbers are big-endian.
 */
public final class TagHeader {
  /** Size of the header in bytes. */
  public static final int BYTES = TagMatchingHeader.BYTES;

  /** Size in bytes of a message that offers its payload, and of the answer to it. */
  public static final int OFFER_BYTES = BYTES + RendezvousHeader.BYTES;

  private static final int WORD = Long.BYTES;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private TagHeader() {}

  /**
   * Writes the header of a message whose data follow it.
   *
   * @param offset of the header in {@code message}, in bytes
   * @param tag compared with the tags of the receiver under their masks
   * @param context passed to the receiver as {@link Completion#tagContext}
   */
  public static void eager(MemorySegment message, long offset, long tag, int context) {
    write(message, offset, TagMatchingHeader.EAGER, tag, context);
  }

  /** Writes the header of a message that goes to a receive request and never to a tag. */
  public static void untagged(MemorySegment message, long offset) {
    write(message, offset, TagMatchingHeader.NO_TAG, 0, 0);
  }

  /**
   * Writes a message of {@link #OFFER_BYTES} that offers its payload to the receiver with the tag,
   * to be fetched by READ (a rendezvous). The receiver or its device answers when it has fetched
   * the payload, see {@link #isDone}.
   *
   * @param payload memory of a region with {@link Access#REMOTE_READ}; it must not change until
   *     then
   * @throws IllegalArgumentException when the payload has 2^32 bytes or more
   */
  public static void offer(
      MemorySegment message, long offset, long tag, int context, RemoteMemory payload) {
    writeOffer(message, offset, TagMatchingHeader.RNDV, tag, context, payload);
  }

  /**
   * Writes the answer to an offer, for an application that fetched the payload itself. The device
   * of a {@link RendezvousTarget} writes the same.
   *
   * @param tag tag of the offer
   * @param context context of the offer
   * @param payload payload of the offer
   */
  public static void done(
      MemorySegment message, long offset, long tag, int context, RemoteMemory payload) {
    writeOffer(message, offset, TagMatchingHeader.FIN, tag, context, payload);
  }

  private static void writeOffer(
      MemorySegment message,
      long offset,
      int operation,
      long tag,
      int context,
      RemoteMemory payload) {
    if (payload.length() > 0xffff_ffffL) {
      throw new IllegalArgumentException(
          "a message offers less than 2^32 bytes, not %d".formatted(payload.length()));
    }
    write(message, offset, operation, tag, context);
    message.set(LONG, offset + BYTES, payload.address());
    message.set(
        LONG,
        offset + BYTES + WORD,
        RendezvousHeader.RKEY.place(payload.rkey())
            | RendezvousHeader.LENGTH.place(payload.length()));
  }

  private static void write(
      MemorySegment message, long offset, int operation, long tag, int context) {
    message.set(
        LONG,
        offset,
        TagMatchingHeader.OPCODE.place(operation) | TagMatchingHeader.APP_CTX.place(context));
    message.set(LONG, offset + WORD, tag);
  }

  /** The tag of a message in a receive request. */
  public static long tag(MemorySegment message, long offset) {
    return message.get(LONG, offset + WORD);
  }

  /** The application context of a message in a receive request. */
  public static int context(MemorySegment message, long offset) {
    return TagMatchingHeader.APP_CTX.getInt(message.get(LONG, offset));
  }

  /** True for a message that offers its payload. */
  public static boolean isOffer(MemorySegment message, long offset) {
    return operation(message, offset) == TagMatchingHeader.RNDV;
  }

  /** True for the answer to an offer: its payload was fetched, and its memory may be used again. */
  public static boolean isDone(MemorySegment message, long offset) {
    return operation(message, offset) == TagMatchingHeader.FIN;
  }

  private static int operation(MemorySegment message, long offset) {
    return TagMatchingHeader.OPCODE.getInt(message.get(LONG, offset));
  }

  /** The payload that a message offers, or that an answer reports as fetched. */
  public static RemoteMemory payload(MemorySegment message, long offset) {
    long key = message.get(LONG, offset + BYTES + WORD);
    return new RemoteMemory(
        message.get(LONG, offset + BYTES),
        RendezvousHeader.RKEY.getInt(key),
        RendezvousHeader.LENGTH.get(key));
  }
}
