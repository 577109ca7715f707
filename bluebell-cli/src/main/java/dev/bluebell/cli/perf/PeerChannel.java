package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.Connections;
import dev.bluebell.connect.Ending;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.connect.TcpOptions;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.OpenObject;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A message channel between the two processes of a measurement: SENDs over its own queue pair, on a
 * connection that notices the end of either process. Belongs to one thread.
 */
final class PeerChannel implements AutoCloseable {
  /** Most bytes of a message. */
  private static final int MAX_BYTES = 4096;

  /** Messages that may arrive before the first is taken; the two processes take turns. */
  private static final int RECEIVES = 4;

  private static final long SEND = RECEIVES;

  /** A process that is suspended, not ended, counts as lost after three keepalive intervals. */
  private static final TcpOptions OPTIONS =
      TcpOptions.DEFAULT.withKeepalive(Duration.ofSeconds(10));

  private static final Duration SLICE = Duration.ofMillis(100);
  private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /**
   * How long a thread that runs its device spins: longer than the peer takes to check a round. If
   * it slept, the kernel would wake it on the peer's processor, and both processes would begin the
   * next round on one processor.
   */
  private static final long RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** After a failure, how long to wait for the news that the peer is gone, the likely cause. */
  private static final int NEWS_SECONDS = 5;

  private final Device device;
  private final CompletionQueue completions;
  private final MemoryRegion memory;
  private final ProtectionDomain domain;
  private final Queue<PeerMessage> arrived = new ArrayDeque<>();
  private final CompletionHandler handler = this::completed;
  private final String peer;
  private @Nullable RdmaConnection connection;
  private @Nullable RuntimeException failure;
  private boolean sent;

  // Whether this thread has run the device; otherwise the device has a thread of its own.
  private boolean runsDevice;

  private final Stall stall = new Stall();

  private PeerChannel(Device device, String peer) {
    this.device = device;
    this.peer = peer;
    domain = device.allocateProtectionDomain();
    completions = device.createCompletionQueue(4 * RECEIVES);
    memory = domain.allocate((RECEIVES + 1) * (long) MAX_BYTES, Access.LOCAL_WRITE);
  }

  /**
   * Connects to a server.
   *
   * @param device device that the channel owns from now on
   */
  static PeerChannel connect(Device device, InetSocketAddress server) throws ConnectionException {
    PeerChannel channel = new PeerChannel(device, "the server at " + text(server));
    try {
      channel.connection =
          Connections.tcp(OPTIONS).client(server).connect(channel::queuePair, Offer.NOTHING);
      return channel;
    } catch (ConnectionException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Waits for a client.
   *
   * @param device device that the channel owns from now on
   * @param listening receives the address once clients can connect
   * @param watch may stop the waiting
   * @return null when the waiting was stopped
   */
  static @Nullable PeerChannel accept(
      Device device,
      InetSocketAddress address,
      Consumer<InetSocketAddress> listening,
      PerfWatch watch)
      throws IOException, InterruptedException {
    PeerChannel channel = new PeerChannel(device, "the client");
    try (RdmaServer server = Connections.tcp(OPTIONS).listen(address)) {
      listening.accept(server.address());
      while (!watch.isStopped()) {
        ConnectionRequest request = server.next(SLICE);
        if (request != null) {
          channel.connection = request.accept(channel::queuePair, Offer.NOTHING);
          return channel;
        }
      }
      channel.close();
      return null;
    } catch (IOException | InterruptedException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static String text(InetSocketAddress address) {
    return "%s:%d".formatted(address.getHostString(), address.getPort());
  }

  private RcQueuePair queuePair() {
    RcQueuePair queuePair =
        domain.rcQueuePair(completions).sendQueue(2).receiveQueue(RECEIVES).create();
    for (int slot = 0; slot < RECEIVES; slot++) {
      post(queuePair, slot);
    }
    return queuePair;
  }

  private void post(RcQueuePair queuePair, int slot) {
    queuePair.receive().scatter(memory, (long) slot * MAX_BYTES, MAX_BYTES).post(slot);
    queuePair.ringReceiveDoorbell();
  }

  private RdmaConnection connection() {
    RdmaConnection open = connection;
    if (open == null) {
      throw new IllegalStateException("there is no connection to " + peer);
    }
    return open;
  }

  /** Sends a message, and waits until it has arrived. */
  void send(PeerMessage message) {
    MemorySegment slot = memory.segment().asSlice(SEND * MAX_BYTES, MAX_BYTES);
    slot.set(ValueLayout.JAVA_BYTE, 0, (byte) message.kind().ordinal());
    MemorySegment.copy(message.body(), 0, slot, ValueLayout.JAVA_BYTE, 1, message.body().length);
    sent = false;
    RcQueuePair queuePair = connection().queuePair();
    try {
      queuePair.send().gather(memory, SEND * MAX_BYTES, message.bytes()).signaled(SEND);
      queuePair.ringDoorbell();
    } catch (IllegalStateException e) {
      // The queue pair is in the error state if the peer is gone.
      requireThereSoon();
      throw e;
    }
    while (!sent) {
      requireWorking();
      await();
    }
  }

  /** Waits for the next message. */
  PeerMessage receive() {
    while (arrived.isEmpty()) {
      requireWorking();
      await();
    }
    return arrived.remove();
  }

  /** Waits for a message of a kind. */
  PeerMessage receive(PeerMessage.Kind kind) {
    PeerMessage message = receive();
    if (message.kind() != kind) {
      throw PeerMessage.nonsense();
    }
    return message;
  }

  /**
   * Waits until the peer has disconnected. Until then this device must answer what the peer sent
   * last: on a network, the answer may be lost or late.
   */
  void awaitEnd() {
    long since = System.nanoTime();
    try {
      while (connection().isOpen()
          && System.nanoTime() - since < TimeUnit.SECONDS.toNanos(NEWS_SECONDS)) {
        if (completions.awaitCompletions(Duration.ofMillis(1))) {
          int unused = completions.poll(handler);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void requireWorking() {
    if (failure != null) {
      requireThereSoon();
      throw failure;
    }
  }

  /**
   * Spins for a while, because answers come soon, and then waits for an event. If this thread runs
   * the device, it spins as long as the device has work from the measurement.
   */
  private void await() {
    long since = System.nanoTime();
    stall.restart();
    while (System.nanoTime() - since < (runsDevice ? RUN_NANOS : SPIN_NANOS)) {
      if (completions.poll(handler) > 0) {
        return;
      }
      int done = device.progress();
      if (done > 0) {
        runsDevice = true;
        since = System.nanoTime();
      }
      stall.note(done);
    }
    try {
      if (completions.awaitCompletions(SLICE)) {
        int unused = completions.poll(handler);
      } else {
        requireThere();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PeerLost("interrupted while waiting for " + peer);
    }
  }

  private void completed(Completion completion) {
    if (!completion.isSuccess()) {
      // Thrown later: messages before it count, even if the peer sends nothing more.
      failure = failure == null ? WorkFailed.of(completion) : failure;
      return;
    }
    if (completion.id() == SEND) {
      sent = true;
      return;
    }
    int slot = (int) completion.id();
    byte[] bytes = new byte[completion.byteCount()];
    MemorySegment.copy(
        memory.segment(), ValueLayout.JAVA_BYTE, (long) slot * MAX_BYTES, bytes, 0, bytes.length);
    arrived.add(PeerMessage.read(bytes));
    post(connection().queuePair(), slot);
  }

  /**
   * Checks that the peer is still there.
   *
   * @throws PeerLost when it is gone
   */
  void requireThere() {
    requireThere(0);
  }

  /** As {@link #requireThere}, after a failure: waits for the news that the peer is gone. */
  void requireThereSoon() {
    requireThere(NEWS_SECONDS);
  }

  private void requireThere(int seconds) {
    if (seconds == 0 && connection().isOpen()) {
      return;
    }
    try {
      Ending ending = connection().ended().get(Math.max(1, seconds), TimeUnit.SECONDS);
      throw new PeerLost(
          ending == Ending.LOST
              ? "%s is gone: its process has ended or hangs".formatted(peer)
              : "%s ended the measurement: see its output for the reason".formatted(peer));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // The peer is there.
    }
  }

  /**
   * Runs one measurement on the channel's device, because a second device in this process could not
   * have the same address on a network. Closes what the measurement created, unless it fails.
   *
   * @return what the measurement returns
   */
  PerfResult measure(Function<Device, PerfResult> measurement) {
    int before = device.openObjects().size();
    PerfResult result = measurement.apply(device);
    List<OpenObject> open = device.openObjects();
    open.subList(before, open.size()).reversed().forEach(PeerChannel::close);
    return result;
  }

  private static void close(OpenObject open) {
    try {
      open.object().close();
    } catch (Exception e) {
      throw new IllegalStateException(open + " can't be closed", e);
    }
  }

  /** Disconnects, and closes the device. */
  @Override
  public void close() {
    if (connection != null) {
      connection.close();
    }
    device.close();
  }
}
