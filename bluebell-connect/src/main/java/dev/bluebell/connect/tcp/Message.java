package dev.bluebell.connect.tcp;

import dev.bluebell.connect.Offer;
import dev.bluebell.hca.text.Printable;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A message of the TCP connection protocol.
 *
 * @param body its format depends on the type
 */
record Message(MessageType type, byte[] body) {
  /** Characters of a sentence, each of which has at most three bytes. */
  private static final int MAX_SENTENCE = Wire.MAX_BODY_BYTES / 3;

  /** An endpoint, and an offer behind it: its private data and its memory, each with its count. */
  static Message of(MessageType type, QueuePairEndpoint endpoint, Offer offer) {
    byte[] data = offer.privateData();
    List<RemoteMemory> memory = offer.memory();
    ByteBuffer body =
        ByteBuffer.allocate(
            QueuePairEndpoint.BYTES + 2 + data.length + memory.size() * RemoteMemory.BYTES);
    body.put(endpoint.bytes()).put((byte) data.length).put(data).put((byte) memory.size());
    memory.forEach(piece -> body.put(piece.bytes()));
    return new Message(type, body.array());
  }

  static Message of(MessageType type) {
    return new Message(type, new byte[0]);
  }

  static Message sentence(String text) {
    boolean fits = text.length() <= MAX_SENTENCE;
    String sent = fits ? text : text.substring(0, MAX_SENTENCE - 1) + "…";
    return new Message(MessageType.FAIL, sent.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The body as an untrusted sentence, without control characters that a terminal would interpret.
   */
  String sentence() {
    return Printable.line(new String(body, StandardCharsets.UTF_8));
  }

  /** The endpoint and the offer that a peer sends when it connects or accepts. */
  record Greeting(QueuePairEndpoint endpoint, Offer offer) {

    /**
     * The options with which this side connects to the peer. Their MTU is at most that of each
     * side's options and of its port, so both sides use the same one.
     *
     * @param own the queue pair of this side
     */
    ConnectOptions agreed(ConnectOptions options, RcQueuePair own) {
      int largest = Math.min(endpoint.mtu(), own.endpoint().mtu());
      return options.pathMtu() <= largest ? options : options.withPathMtu(largest);
    }
  }

  /** The endpoint that the peer of a queue pair gets. */
  static QueuePairEndpoint endpoint(RcQueuePair queuePair, ConnectOptions options) {
    QueuePairEndpoint own = queuePair.endpoint();
    return options.pathMtu() == 0 || options.pathMtu() >= own.mtu()
        ? own
        : new QueuePairEndpoint(
            own.gid(),
            own.lid(),
            own.qpn(),
            own.psn(),
            options.pathMtu(),
            own.responderResources());
  }

  /**
   * Reads the body of CONNECT or ACCEPT.
   *
   * @throws IllegalArgumentException when the body is invalid
   */
  Greeting greeting() {
    ByteBuffer in = ByteBuffer.wrap(body);
    try {
      QueuePairEndpoint endpoint = QueuePairEndpoint.of(take(in, QueuePairEndpoint.BYTES));
      byte[] data = take(in, in.get() & 0xff);
      int count = in.get() & 0xff;
      List<RemoteMemory> memory = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        memory.add(RemoteMemory.of(take(in, RemoteMemory.BYTES)));
      }
      if (in.hasRemaining()) {
        throw new IllegalArgumentException("%d bytes too many".formatted(in.remaining()));
      }
      return new Greeting(endpoint, new Offer(data, memory));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("it ends too early", e);
    }
  }

  private static byte[] take(ByteBuffer in, int count) {
    byte[] taken = new byte[count];
    in.get(taken);
    return taken;
  }
}
