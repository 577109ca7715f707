package dev.bluebell.uverbs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.Connections;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The protocol of rping, for a Java process that has a queue pair: messages of 16 bytes name memory
 * {address, key, length} of the client, big-endian. The server reads the first, and writes what it
 * read to the second.
 */
final class JavaRping implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private static final int MESSAGE_BYTES = 16;
  private static final int RECEIVED = 0;
  private static final int SENT = 64;
  private static final int SOURCE = 1024;
  private static final int SINK = 2048;
  private static final int DATA_BYTES = 64;

  private static final long RECEIVE = 1;
  private static final long SEND = 2;
  private static final long TRANSFER = 3;

  private final Device device;
  private final ProtectionDomain domain;
  private final CompletionQueue completions;
  private final MemoryRegion memory;
  private final Connections connections;
  private boolean received;

  JavaRping(Host host) {
    device = Device.open("socket:" + host.socket());
    domain = device.allocateProtectionDomain();
    completions = device.createCompletionQueue(16);
    memory = domain.allocate(4096, Access.rights());
    connections = Connections.rdmaCm(device);
  }

  RdmaServer listen(String address, int port) throws IOException {
    return connections.listen(new InetSocketAddress(address, port));
  }

  /** A queue pair that can receive before it is connected. */
  private RcQueuePair queuePair() {
    RcQueuePair queuePair = domain.rcQueuePair(completions).create();
    receive(queuePair);
    return queuePair;
  }

  private void receive(RcQueuePair queuePair) {
    queuePair.receive().scatter(memory, RECEIVED, MESSAGE_BYTES).post(RECEIVE);
    queuePair.ringReceiveDoorbell();
  }

  /**
   * Accepts a client, and answers it until it disconnects.
   *
   * @return how many pings it answered
   */
  int serve(RdmaServer server) throws IOException, InterruptedException {
    ConnectionRequest request = server.next(PATIENCE);
    assertThat(request).isNotNull();
    int pings = 0;
    try (RdmaConnection connection = request.accept(this::queuePair, Offer.NOTHING)) {
      RcQueuePair queuePair = connection.queuePair();
      while (awaitMessage(queuePair)) {
        RemoteMemory source = message();
        int bytes = (int) source.length();
        queuePair.read(source).scatter(memory, SOURCE, bytes).signaled(TRANSFER);
        complete(queuePair, TRANSFER);
        answer(queuePair);
        assertThat(awaitMessage(queuePair)).isTrue();
        queuePair.write(message().slice(0, bytes)).gather(memory, SOURCE, bytes).signaled(TRANSFER);
        complete(queuePair, TRANSFER);
        answer(queuePair);
        pings++;
      }
    }
    return pings;
  }

  /** Connects to a server, and pings it. */
  void ping(String address, int port, int times) throws IOException {
    try (RdmaConnection connection =
        connections
            .client(new InetSocketAddress(address, port))
            .connect(this::queuePair, Offer.NOTHING)) {
      RcQueuePair queuePair = connection.queuePair();
      for (int i = 0; i < times; i++) {
        byte[] text = "rdma-ping-%d: from Java".formatted(i).getBytes(US_ASCII);
        MemorySegment segment = memory.segment();
        segment.asSlice(SOURCE, DATA_BYTES).fill((byte) 0);
        segment.asSlice(SINK, DATA_BYTES).fill((byte) 0);
        MemorySegment.copy(text, 0, segment, ValueLayout.JAVA_BYTE, SOURCE, text.length);
        name(queuePair, SOURCE);
        assertThat(awaitMessage(queuePair)).isTrue();
        name(queuePair, SINK);
        assertThat(awaitMessage(queuePair)).isTrue();
        assertThat(segment.getString(SINK)).isEqualTo(segment.getString(SOURCE));
      }
    }
  }

  private RemoteMemory message() {
    MemorySegment segment = memory.segment();
    return new RemoteMemory(
        segment.get(LONG, RECEIVED),
        segment.get(INT, RECEIVED + 8),
        segment.get(INT, RECEIVED + 12));
  }

  private void answer(RcQueuePair queuePair) {
    queuePair.send().gather(memory, SENT, MESSAGE_BYTES).signaled(SEND);
    complete(queuePair, SEND);
  }

  /** Names memory of this side to the other one. */
  private void name(RcQueuePair queuePair, int offset) {
    MemorySegment segment = memory.segment();
    RemoteMemory named = memory.remote().slice(offset, DATA_BYTES);
    segment.set(LONG, SENT, named.address());
    segment.set(INT, SENT + 8, named.rkey());
    segment.set(INT, SENT + 12, DATA_BYTES);
    answer(queuePair);
  }

  private void complete(RcQueuePair queuePair, long id) {
    queuePair.ringDoorbell();
    assertThat(await(id)).isTrue();
  }

  /** Waits for a message, and for the next one from then on; false when the peer is gone. */
  private boolean awaitMessage(RcQueuePair queuePair) {
    if (!received && !await(RECEIVE)) {
      return false;
    }
    received = false;
    receive(queuePair);
    return true;
  }

  /** Waits for a request; false when it was flushed. */
  private boolean await(long id) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (true) {
      Completion completion = completions.poll();
      if (completion == null) {
        assertThat(System.nanoTime()).as("completion %d in time", id).isLessThan(deadline);
        Thread.onSpinWait();
      } else if (completion.id() == id) {
        return completion.isSuccess();
      } else {
        assertThat(completion.id()).isEqualTo(RECEIVE);
        received = completion.isSuccess();
      }
    }
  }

  @Override
  public void close() {
    device.close();
  }
}
