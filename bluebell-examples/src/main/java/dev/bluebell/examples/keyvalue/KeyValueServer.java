package dev.bluebell.examples.keyvalue;

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
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The server of a key-value store: it owns the memory, but takes no part in operations on it. It
 * admits clients, and unlocks the buckets that a lost client had locked.
 */
public final class KeyValueServer implements AutoCloseable {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final Duration LONG_TIME = Duration.ofHours(1);

  private final ProtectionDomain domain;
  private final MemoryRegion table;
  private final CompletionQueue completions;

  /**
   * Connected to itself: words that clients change by atomics may be changed only by the device.
   */
  private final RcQueuePair own;

  private final MemoryRegion swapped;
  private final RdmaServer server;
  private final Set<RdmaConnection> connections = ConcurrentHashMap.newKeySet();
  private final ExecutorService accepting = Executors.newSingleThreadExecutor();
  private final ExecutorService unlocking = Executors.newSingleThreadExecutor();
  private final Idle idle = new Idle();

  /**
   * Creates an empty table, and listens.
   *
   * @param address address to listen on; its port may be 0
   * @param buckets number of buckets, of 6 entries each
   */
  public KeyValueServer(Device device, InetSocketAddress address, int buckets) throws IOException {
    domain = device.allocateProtectionDomain();
    table = domain.allocate((long) buckets * Bucket.BYTES, Access.rights());
    swapped = domain.allocate(Long.BYTES, Access.LOCAL_WRITE);
    completions = device.createCompletionQueue(1024);
    own = domain.rcQueuePair(completions).create();
    own.connect(own.endpoint());
    try {
      server = Connections.tcp().listen(address);
    } catch (IOException e) {
      // The caller gets no object that it could close.
      closeObjects();
      throw e;
    }
    Future<?> unused = accepting.submit(this::accept);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.address();
  }

  private void accept() {
    try {
      // Numbers are reused after 65,535 clients; by then the first ones are gone.
      for (int client = 0; ; client++) {
        ConnectionRequest request = server.next(LONG_TIME);
        if (request != null) {
          admit(request, 1 + client % 0xffff);
        }
      }
    } catch (ClosedException | InterruptedException e) {
      // The server is closed.
    }
  }

  private void admit(ConnectionRequest request, int client) {
    byte[] number = ByteBuffer.allocate(Integer.BYTES).putInt(client).array();
    try {
      RdmaConnection connection =
          request.accept(
              () -> domain.rcQueuePair(completions).create(),
              new Offer(number, List.of(table.remote())));
      connections.add(connection);
      // By then its queue pair is in the error state, so no more requests of the client arrive.
      CompletableFuture<Void> unused =
          connection.ended().thenRun(() -> unlocking.execute(() -> leave(client, connection)));
    } catch (ConnectionException e) {
      // The client was gone before it was connected.
    }
  }

  private void leave(int client, RdmaConnection connection) {
    try {
      unlock(client);
    } finally {
      connection.close();
      connections.remove(connection);
    }
  }

  private void unlock(int client) {
    try {
      for (long offset = 0; offset < table.length(); offset += Bucket.BYTES) {
        long word = (long) LONG.getAcquire(table.segment(), offset);
        if (Bucket.owner(word) == client) {
          own.compareAndSwap(table.remote().slice(offset, Long.BYTES), word, Bucket.unlocked(word))
              .scatter(swapped, 0)
              .signaled(1);
          own.ringDoorbell();
          idle.poll(completions, KeyValueServer::requireSuccess);
        }
      }
    } catch (InterruptedIOException e) {
      // The server is closed.
    }
  }

  private static void requireSuccess(Completion completion) {
    if (!completion.isSuccess()) {
      throw new IllegalStateException(completion.status() + ": " + completion.explanation());
    }
  }

  /** Ends all connections. */
  @Override
  public void close() {
    server.close();
    accepting.close();
    connections.forEach(RdmaConnection::close);
    unlocking.close();
    closeObjects();
  }

  private void closeObjects() {
    own.close();
    completions.close();
    swapped.close();
    table.close();
    domain.close();
  }

  /**
   * Serves until its input ends.
   *
   * @param arguments the device, and the number of buckets
   */
  public static void main(String... arguments) throws IOException {
    try (Device device = Device.open(arguments[0]);
        KeyValueServer server =
            new KeyValueServer(device, ChildJvm.local(0), Integer.parseInt(arguments[1]))) {
      System.out.println(server.address().getPort());
      ChildJvm.awaitEnd();
    }
  }
}
