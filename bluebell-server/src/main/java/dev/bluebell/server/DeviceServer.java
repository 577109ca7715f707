package dev.bluebell.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** Accepts programs at a Unix socket and gives each a thread. Thread-safe. */
public final class DeviceServer implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(DeviceServer.class.getName());

  /** Serves programs that have connected. */
  public interface Service {

    /** Serves a program until it ends or hangs up, and frees what it held. */
    void serve(LocalSocket connection) throws IOException;
  }

  private final Path path;
  private final Service service;
  private final LocalSocket listener;
  private final Set<LocalSocket> connections = new HashSet<>();
  private boolean closed;
  private long idleSince = System.nanoTime();

  /**
   * Starts to listen.
   *
   * @param path of the socket; a socket that is there is taken over
   */
  public DeviceServer(Path path, Service service) throws IOException {
    this.path = path;
    this.service = service;
    Files.deleteIfExists(path);
    listener = LocalSocket.listen(path);
    Thread.ofPlatform().daemon().name("bluebell-accept").start(this::accept);
  }

  private void accept() {
    while (true) {
      try {
        LocalSocket connection = listener.accept();
        if (!add(connection)) {
          connection.close();
          return;
        }
        Thread.ofPlatform().daemon().name("bluebell-program").start(() -> serve(connection));
      } catch (IOException e) {
        if (isClosed()) {
          return;
        }
        LOGGER.log(Level.WARNING, "a program could not connect", e);
        Thread.yield();
      }
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized boolean add(LocalSocket connection) {
    return !closed && connections.add(connection);
  }

  private void serve(LocalSocket connection) {
    try {
      service.serve(connection);
    } catch (SocketException e) {
      LOGGER.log(Level.DEBUG, "a program is gone", e);
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "a program was disconnected: " + e.getMessage());
    } catch (RuntimeException e) {
      LOGGER.log(Level.WARNING, "a program was disconnected", e);
    } finally {
      synchronized (this) {
        connections.remove(connection);
        idleSince = System.nanoTime();
        notifyAll();
      }
      connection.close();
    }
  }

  /** Programs that are connected. */
  public synchronized int programs() {
    return connections.size();
  }

  /**
   * Waits until no program was connected for a time.
   *
   * @param nanos the time; 0 to wait for ever
   */
  public synchronized void awaitIdle(long nanos) throws InterruptedException {
    while (!closed) {
      long left = nanos - (System.nanoTime() - idleSince);
      if (nanos == 0 || !connections.isEmpty()) {
        wait();
      } else if (left <= 0) {
        return;
      } else {
        wait(1 + left / 1_000_000);
      }
    }
  }

  /**
   * Disconnects all programs and stops listening; returns when everything that they held is freed.
   */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      notifyAll();
      connections.forEach(LocalSocket::shutdown);
    }
    listener.shutdown();
    listener.close();
    Files.deleteIfExists(path);
    boolean interrupted = false;
    synchronized (this) {
      while (!connections.isEmpty()) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
