package dev.bluebell.conformance;

import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestModifiers;

/**
 * A message from the left end's memory to the right end's, with a margin around the destination
 * that detects extra bytes. Neither side is aligned.
 */
final class Transfer {
  static final long RECEIVE_ID = 0x7fff_0000_0000_0001L;
  private static final int SOURCE_OFFSET = 3;

  /** Bytes on both sides of a destination that must stay as they were. */
  private static final int MARGIN = 64;

  private final Ends ends;
  private final int size;
  private final Buffer source;
  private final Buffer target;
  private final byte[] before;

  Transfer(Bench bench, int size) {
    this(bench.connected(), size);
  }

  Transfer(Ends ends, int size) {
    this.ends = ends;
    this.size = size;
    source = ends.left().buffer(SOURCE_OFFSET + size + 1L).fill(size);
    target = ends.right().buffer(size + 2L * MARGIN + 1).fill(~size);
    before = target.bytes();
  }

  End left() {
    return ends.left();
  }

  End right() {
    return ends.right();
  }

  Buffer target() {
    return target;
  }

  int targetOffset() {
    return MARGIN + 1;
  }

  /** The destination in requests of the left end. */
  RemoteMemory to() {
    return target.remote(targetOffset());
  }

  /** Adds the data to a request of the left end. */
  RequestModifiers gather(RequestData request) {
    return request.gather(source.region(), SOURCE_OFFSET, size);
  }

  /** Posts a SEND at the left end, signalled, and rings for it. */
  void send(long id) {
    ends.left().send(source, SOURCE_OFFSET, size, id);
  }

  /** Posts an RDMA WRITE at the left end, signalled, and rings for it. */
  void write(long id) {
    ends.left().write(source, SOURCE_OFFSET, size, target, targetOffset(), id);
  }

  /** Posts an RDMA READ at the right end, signalled, and rings for it. */
  void read(long id) {
    ends.right().read(source, SOURCE_OFFSET, size, target, targetOffset(), id);
  }

  void postReceive() {
    ends.right().receive(target, targetOffset(), size, RECEIVE_ID);
  }

  /** Sends the message and expects its arrival. */
  void expectDelivered() {
    postReceive();
    send(1);
    ends.left().awaitSuccess(1);
    ends.right().awaitSuccess(RECEIVE_ID);
    expectArrived();
  }

  /** The bytes of the message. */
  byte[] message() {
    return source.bytes(SOURCE_OFFSET, size);
  }

  /** Expects the message at its place and an unchanged margin. */
  void expectArrived() {
    target.expect(before, targetOffset(), message());
  }
}
