package dev.bluebell.examples.queue;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.Connections;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.examples.shared.ChildJvm;
import dev.bluebell.examples.shared.Idle;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.WorkOpcode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The receiving end of a queue: takes the messages of one producer after another, in order and each
 * once. It has a receive posted for each credit; an acknowledgment is an immediate with the number
 * of returned credits.
 */
public final class RdmaConsumer implements AutoCloseable {
  private static final Duration LONG_TIME = Duration.ofHours(1);

  private final ProtectionDomain domain;
  private final CompletionQueue completions;
  private final MemoryRegion slots;
  private final RdmaServer server;
  private final MessageHandler handler;
  private final Idle idle = new Idle();
  private boolean failed;
  private int credits;
  private long next;

  /**
   * Listens.
   *
   * @param address address to listen on; its port may be 0
   * @param next number of the first message that the handler does not have yet
   */
  public RdmaConsumer(Device device, InetSocketAddress address, long next, MessageHandler handler)
      throws IOException {
    this.next = next;
    this.handler = handler;
    domain = device.allocateProtectionDomain();
    completions = device.createCompletionQueue(4 * Producer.CREDITS);
    slots = domain.allocate((long) Producer.CREDITS * RdmaProducer.SLOT_BYTES, Access.LOCAL_WRITE);
    try {
      server = Connections.tcp().listen(address);
    } catch (IOException e) {
      // The caller gets no object that it could close.
      closeObjects();
      throw e;
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.address();
  }

  /** Takes messages until it is closed. */
  public void run() throws IOException {
    try {
      while (true) {
        ConnectionRequest request = server.next(LONG_TIME);
        if (request != null) {
          serve(request);
        }
      }
    } catch (ClosedException e) {
      // The server is closed.
    } catch (InterruptedException e) {
      throw Idle.interrupted();
    }
  }

  private void serve(ConnectionRequest request) throws IOException {
    byte[] expected = ByteBuffer.allocate(Long.BYTES).putLong(next).array();
    try (RdmaConnection connection =
        request.accept(this::newQueuePair, new Offer(expected, List.of()), RdmaProducer.OPTIONS)) {
      RcQueuePair queuePair = connection.queuePair();
      CompletionHandler handling = completion -> take(queuePair, completion);
      failed = false;
      credits = 0;
      while (!failed) {
        if (completions.poll(handling) > 0) {
          idle.reset();
        } else if (connection.isOpen()) {
          idle.pause(completions);
        } else {
          failed = true;
        }
        giveCredits(queuePair);
      }
    } catch (ConnectionException e) {
      // The producer was gone before it was connected. It will retry.
    }
  }

  // Posts all receives before the first message, so that each message finds one.
  private RcQueuePair newQueuePair() {
    RcQueuePair made =
        domain
            .rcQueuePair(completions)
            .sendQueue(Producer.CREDITS)
            .receiveQueue(Producer.CREDITS)
            .create();
    for (int slot = 0; slot < Producer.CREDITS; slot++) {
      receive(made, slot);
    }
    made.ringReceiveDoorbell();
    return made;
  }

  private void receive(RcQueuePair into, long slot) {
    into.receive()
        .scatter(slots, slot * RdmaProducer.SLOT_BYTES, RdmaProducer.SLOT_BYTES)
        .post(slot);
  }

  private void take(RcQueuePair queuePair, Completion completion) {
    if (!completion.isSuccess()) {
      failed = true;
    } else if (completion.opcode() == WorkOpcode.RECEIVE && !failed) {
      MemorySegment message =
          slots
              .segment()
              .asSlice(completion.id() * RdmaProducer.SLOT_BYTES, completion.byteCount());
      // If it is not the next message, its sender is not a producer of this queue.
      failed =
          completion.byteCount() < RdmaProducer.HEADER_BYTES
              || message.get(ValueLayout.JAVA_LONG, 0) != next;
      if (!failed) {
        handler.take(next, message.asSlice(RdmaProducer.HEADER_BYTES).asByteBuffer());
        next++;
        receive(queuePair, completion.id());
        credits++;
      }
    }
  }

  // Posts the receives first, and then returns their credits.
  private void giveCredits(RcQueuePair to) {
    if (credits > 0 && !failed && to.hasRoom()) {
      to.ringReceiveDoorbell();
      to.sendImmediate(credits).signaled(0);
      to.ringDoorbell();
      credits = 0;
    }
  }

  /** Makes {@link #run}, on its own thread, return once its producer is gone. */
  public void stop() {
    server.close();
  }

  @Override
  public void close() {
    server.close();
    closeObjects();
  }

  private void closeObjects() {
    completions.close();
    slots.close();
    domain.close();
  }

  /**
   * Appends messages to a file until it is killed.
   *
   * @param arguments the device, the port (0 for any), the file
   */
  public static void main(String... arguments) throws IOException {
    try (Device device = Device.open(arguments[0]);
        MessageLog log = new MessageLog(Path.of(arguments[2]));
        RdmaConsumer consumer =
            new RdmaConsumer(
                device, ChildJvm.local(Integer.parseInt(arguments[1])), log.next(), log)) {
      System.out.println(consumer.address().getPort());
      consumer.run();
    }
  }
}
