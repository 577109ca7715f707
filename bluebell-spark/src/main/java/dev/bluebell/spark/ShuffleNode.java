package dev.bluebell.spark;

import dev.bluebell.connect.Connections;
import dev.bluebell.connect.TcpOptions;
import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The device of an executor, with the memory, the queues and the threads that use it. */
final class ShuffleNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("dev.bluebell.spark");

  /** A peer that is silent for three times as long counts as lost. */
  private static final Duration KEEPALIVE = Duration.ofSeconds(5);

  /** Maximum time to wait for the device to close. Its process may not answer. */
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

  /** Maximum time to wait for the last receive of a queue pair that is closed. */
  private static final Duration LAST_RECEIVE = Duration.ofSeconds(1);

  private static final Duration IDLE = Duration.ofSeconds(60);

  private final Settings settings;
  private final ShuffleCounters counters;
  private final Function<Block, FileSegmentManagedBuffer> segments;
  private final Device device;
  private final ProtectionDomain domain;
  private final BufferPool buffers;
  private final RegisteredFiles files;
  private final EventLoop fetching;
  private final EventLoop serving;
  private final BlockServer server;
  private final Endpoint endpoint;
  private final Connections connections =
      Connections.tcp(TcpOptions.DEFAULT.withKeepalive(KEEPALIVE).withMaxPending(1024));

  /** Runs work that may block. Drops work that is submitted after the executor has ended. */
  private final ExecutorService threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE.toSeconds(),
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("bluebell-shuffle-", 0).factory(),
          new ThreadPoolExecutor.DiscardPolicy());

  private final AtomicBoolean isProbed = new AtomicBoolean();
  private volatile boolean isLost;

  private ShuffleNode(
      Settings settings,
      Device device,
      String host,
      ShuffleCounters counters,
      Function<Block, FileSegmentManagedBuffer> segments)
      throws IOException {
    this.settings = settings;
    this.device = device;
    this.counters = counters;
    this.segments = segments;
    domain = device.allocateProtectionDomain();
    buffers = new BufferPool(domain, settings.bufferBytes());
    files = new RegisteredFiles(domain, settings.maxFiles(), counters, threads);
    int most = settings.maxConnections();
    LastReceives last = new LastReceives(device, LAST_RECEIVE);
    fetching = new EventLoop(device, domain, last, "bluebell-shuffle-fetch", most, this::lose);
    serving = new EventLoop(device, domain, last, "bluebell-shuffle-serve", most, this::lose);
    byte[] token = new byte[Endpoint.TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    String address = settings.bindAddress().isEmpty() ? host : settings.bindAddress();
    server =
        new BlockServer(
            this,
            connections.listen(new InetSocketAddress(address, settings.port())),
            threads,
            token);
    endpoint = new Endpoint(server.address().getPort(), token);
  }

  /**
   * Opens the device of an executor and listens for peers.
   *
   * @throws IOException when peers could not reach it
   * @throws HcaException when the device cannot be opened or used
   * @throws IllegalArgumentException when no device has the name
   */
  static ShuffleNode open(
      Settings settings,
      String host,
      ShuffleCounters counters,
      Function<Block, FileSegmentManagedBuffer> segments)
      throws IOException {
    return over(Device.open(settings.device()), settings, host, counters, segments);
  }

  /**
   * Listens for peers with a device that is open, and takes ownership: a failure closes it.
   *
   * @param host address of the executor
   * @param segments returns the file segment of a block
   */
  static ShuffleNode over(
      Device device,
      Settings settings,
      String host,
      ShuffleCounters counters,
      Function<Block, FileSegmentManagedBuffer> segments)
      throws IOException {
    ShuffleNode node = null;
    try {
      node = new ShuffleNode(settings, device, host, counters, segments);
      node.fetching.start();
      node.serving.start();
      node.server.start();
      LOG.info(
          "Shuffle blocks are read by RDMA, on device {}; peers connect to {}",
          device.name(),
          node.server.address());
      return node;
    } catch (IOException | RuntimeException | Error e) {
      try (device) {
        if (node != null) {
          node.server.close();
        }
      } catch (RuntimeException | Error unclosed) {
        e.addSuppressed(unclosed);
      }
      throw e;
    }
  }

  Settings settings() {
    return settings;
  }

  ShuffleCounters counters() {
    return counters;
  }

  ProtectionDomain domain() {
    return domain;
  }

  BufferPool buffers() {
    return buffers;
  }

  RegisteredFiles files() {
    return files;
  }

  EventLoop fetching() {
    return fetching;
  }

  EventLoop serving() {
    return serving;
  }

  Connections connections() {
    return connections;
  }

  /** The endpoint at which peers reach this executor. */
  Endpoint endpoint() {
    return isLost ? Endpoint.NONE : endpoint;
  }

  FileSegmentManagedBuffer segment(Block block) {
    return segments.apply(block);
  }

  /** True when the device is lost, so that nothing more can be read or served. */
  boolean isLost() {
    return isLost;
  }

  /** Runs work that may block on a separate thread. */
  void execute(Runnable work) {
    threads.execute(work);
  }

  /**
   * Asks the device for a sign of life, without waiting. A device process that answers nothing
   * within the timeout counts as lost: calls of the device wait for it without limit.
   */
  void probe() {
    if (isProbed.compareAndSet(false, true)) {
      Duration timeout = settings.timeout();
      CompletableFuture<?> unused =
          CompletableFuture.supplyAsync(() -> device.port(1), threads)
              .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
              // Not on the thread that all timeouts of the JVM share: to lose the device waits.
              .whenCompleteAsync(
                  (port, failure) -> {
                    isProbed.set(false);
                    if (failure instanceof TimeoutException && !threads.isShutdown()) {
                      lose("it has not answered for %d s".formatted(timeout.toSeconds()));
                    }
                  },
                  threads);
    }
  }

  private void lose(Throwable cause) {
    lose(String.valueOf(cause.getMessage()));
  }

  private synchronized void lose(String why) {
    if (!isLost) {
      isLost = true;
      LOG.warn(
          "The device of this executor is lost; until it can be opened again, Spark's own transfer"
              + " fetches all blocks: {}",
          why);
      server.close();
      execute(files::forgetAll);
    }
  }

  @Override
  public void close() {
    if (threads.isShutdown()) {
      // Work that would be submitted now is dropped.
      return;
    }
    server.close();
    fetching.close();
    serving.close();
    buffers.close();
    closeDevice();
    threads.shutdown();
  }

  private void closeDevice() {
    try {
      CompletableFuture.runAsync(device::close, threads)
          .get(LONGEST_CLOSE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // It does not answer, or refuses.
      LOG.warn("Device {} was not closed: {}", device.name(), e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
