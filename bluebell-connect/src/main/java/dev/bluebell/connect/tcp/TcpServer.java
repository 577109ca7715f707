package dev.bluebell.connect.tcp;

import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.connect.TcpOptions;
import dev.bluebell.verbs.ClosedException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A server on a TCP port. Each peer that has not sent its request yet has a thread and a deadline.
 */
final class TcpServer implements RdmaServer {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final ServerSocket listener;
  private final TcpOptions options;

  /** Peers that were neither accepted nor rejected yet. */
  private final Set<Wire> pending = ConcurrentHashMap.newKeySet();

  /**
   * Requests that {@link #next} has not returned. In a closed server, an empty one stays at the
   * end.
   */
  private final LinkedTransferQueue<Optional<TcpRequest>> requests = new LinkedTransferQueue<>();

  private final Thread listening;
  private volatile boolean closed;

  private TcpServer(ServerSocket listener, TcpOptions options) {
    this.listener = listener;
    this.options = options;
    listening = Thread.ofPlatform().daemon().name("bluebell-listen").unstarted(this::listen);
  }

  static TcpServer listen(InetSocketAddress address, TcpOptions options) throws IOException {
    if (address.isUnresolved()) {
      throw new UnknownHostException(
          "can't listen at %s: the name has no address".formatted(address));
    }
    ServerSocket listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(address, options.maxPending());
    } catch (IOException e) {
      listener.close();
      throw e instanceof BindException ? unavailable(address, e) : e;
    }
    TcpServer server = new TcpServer(listener, options);
    server.listening.start();
    return server;
  }

  private static BindException unavailable(InetSocketAddress address, IOException cause) {
    String reason = String.valueOf(cause.getMessage());
    BindException named =
        new BindException(
            "can't listen at %s: %s; %s"
                .formatted(
                    address,
                    reason,
                    reason.contains("in use")
                        ? "another process, or this one, listens there, so choose another port"
                        : "choose an address of this machine and a port that is permitted"));
    named.initCause(cause);
    return named;
  }

  private void listen() {
    while (!closed) {
      try {
        receive(listener.accept());
      } catch (IOException e) {
        // The server is closed, or there are no free descriptors: retry, other code may release
        // some.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void receive(Socket socket) throws IOException {
    if (pending.size() >= options.maxPending()) {
      socket.close();
      return;
    }
    Wire wire = new Wire(socket);
    pending.add(wire);
    if (closed) {
      drop(wire);
      return;
    }
    Thread unused = Thread.ofVirtual().name("bluebell-greeting").start(() -> greet(wire));
  }

  private void greet(Wire wire) {
    try {
      Message message = wire.read(options.deadline());
      if (message.type() == MessageType.CONNECT) {
        TcpRequest request =
            new TcpRequest(wire, message.greeting(), options, () -> pending.remove(wire));
        // The client gives up at this deadline.
        if (requests.tryTransfer(
            Optional.of(request), options.deadline().toNanos(), TimeUnit.NANOSECONDS)) {
          return;
        }
      }
    } catch (IOException | IllegalArgumentException | InterruptedException e) {
      System.getLogger("dev.bluebell.connect")
          .log(
              System.Logger.Level.DEBUG,
              "%s is not a client: %s".formatted(wire.peer(), e.getMessage()));
    }
    drop(wire);
  }

  private void drop(Wire wire) {
    pending.remove(wire);
    wire.close();
  }

  @Override
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.getLocalSocketAddress();
  }

  @Override
  public @Nullable ConnectionRequest next(Duration timeout) throws InterruptedException {
    // The longest times become 292 years.
    long deadline = System.nanoTime() + Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
    while (true) {
      // On a virtual thread, the look at the connection would close it.
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Optional<TcpRequest> next = requests.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (closed) {
        wake();
        throw new ClosedException("the server at %s is closed".formatted(address()));
      }
      if (next == null) {
        return null;
      }
      TcpRequest request = next.orElseThrow();
      if (!request.dropIfGivenUp()) {
        return request;
      }
    }
  }

  /** Wakes one thread in {@link #next}, which wakes the next one. */
  private void wake() {
    requests.put(Optional.empty());
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      listener.close();
      // The port is free only when the accepting thread has ended.
      listening.join();
    } catch (IOException e) {
      throw new AssertionError("a socket could not be closed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    requests.clear();
    wake();
    pending.forEach(this::drop);
  }
}
