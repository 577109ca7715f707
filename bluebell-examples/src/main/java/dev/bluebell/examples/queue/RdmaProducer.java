package dev.bluebell.examples.queue;

import dev.bluebell.connect.Connections;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaClient;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.examples.shared.Idle;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RequestData;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Sends each message by a SEND from a slot of its memory, which holds the message until it is
 * acknowledged. When the connection is lost, it makes a new one, learns which messages the consumer
 * has, and sends the others again.
 */
public final class RdmaProducer implements Producer {
  static final int SLOT_BYTES = 256;
  static final int HEADER_BYTES = Long.BYTES;

  /**
   * Credits guarantee a receive for each message, so a message without one is a bug and may fail.
   */
  static final ConnectOptions OPTIONS = ConnectOptions.DEFAULT.withRnrRetry(0);

  private static final int SIGNALED = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ProtectionDomain domain;
  private final CompletionQueue completions;
  private final MemoryRegion slots;
  private final int[] lengths = new int[CREDITS];
  private final RdmaClient client;
  private final Idle idle = new Idle();
  private RdmaConnection connection;
  private boolean failed;
  private long acknowledged;
  private long next;

  /** Connects to a consumer. */
  public RdmaProducer(Device device, InetSocketAddress consumer) throws IOException {
    domain = device.allocateProtectionDomain();
    completions = device.createCompletionQueue(4 * CREDITS);
    slots = domain.allocate((long) CREDITS * SLOT_BYTES);
    client = Connections.tcp().client(consumer);
    try {
      connection = client.connect(this::newQueuePair, Offer.NOTHING, OPTIONS);
    } catch (IOException e) {
      // The caller gets no object that it could close.
      closeObjects();
      throw e;
    }
    acknowledged = expected();
    next = acknowledged;
  }

  // Each acknowledgment covers at least one message, so there are receives for all acknowledgments.
  private RcQueuePair newQueuePair() {
    RcQueuePair queuePair =
        domain.rcQueuePair(completions).sendQueue(2 * CREDITS).receiveQueue(CREDITS).create();
    for (int i = 0; i < CREDITS; i++) {
      queuePair.receive().empty().post(0);
    }
    queuePair.ringReceiveDoorbell();
    return queuePair;
  }

  /** The first message that the consumer does not have. */
  private long expected() {
    return ByteBuffer.wrap(connection.offer().privateData()).getLong();
  }

  @Override
  public long next() {
    return next;
  }

  /** The current queue pair. */
  RcQueuePair queuePair() {
    return connection.queuePair();
  }

  @Override
  public void send(byte[] message) throws IOException {
    while (next - acknowledged == CREDITS || !queuePair().hasRoom()) {
      progress();
    }
    MemorySegment slot = slots.segment().asSlice(slot(next), SLOT_BYTES);
    slot.set(ValueLayout.JAVA_LONG, 0, next);
    MemorySegment.copy(message, 0, slot, ValueLayout.JAVA_BYTE, HEADER_BYTES, message.length);
    lengths[(int) (next % CREDITS)] = HEADER_BYTES + message.length;
    post(next++);
    queuePair().ringDoorbell();
  }

  private static long slot(long number) {
    return number % CREDITS * SLOT_BYTES;
  }

  private void post(long number) {
    RequestData request =
        queuePair().send().gather(slots, slot(number), lengths[(int) (number % CREDITS)]);
    // A completion also completes all requests before it.
    if (number % SIGNALED == 0) {
      request.signaled(number);
    } else {
      request.unsignaled(number);
    }
  }

  @Override
  public void flush() throws IOException {
    while (acknowledged < next) {
      progress();
    }
  }

  private void progress() throws IOException {
    if (completions.poll(this::take) > 0) {
      idle.reset();
    } else if (connection.isOpen()) {
      idle.pause(completions);
    } else {
      failed = true;
    }
    if (failed) {
      recover();
    }
  }

  private void take(Completion completion) {
    if (!completion.isSuccess()) {
      failed = true;
    } else if (completion.hasImmediate()) {
      acknowledged += completion.immediate();
      queuePair().receive().empty().post(0);
      queuePair().ringReceiveDoorbell();
    }
  }

  // Replaces the failed connection. Only the consumer knows which outstanding messages it received.
  private void recover() throws IOException {
    try {
      connection = client.reconnect(connection, PATIENCE);
    } catch (InterruptedException e) {
      throw Idle.interrupted();
    }
    failed = false;
    Producer.check(expected(), acknowledged, next);
    acknowledged = expected();
    for (long number = acknowledged; number < next; number++) {
      post(number);
    }
    queuePair().ringDoorbell();
  }

  @Override
  public void close() {
    connection.close();
    closeObjects();
  }

  private void closeObjects() {
    completions.close();
    slots.close();
    domain.close();
  }
}
