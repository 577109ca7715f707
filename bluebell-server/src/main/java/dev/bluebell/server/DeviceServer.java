package dev.bluebell.server;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The server of a device process: accepts clients of this user at a Unix socket, and starts a
 * thread for each one when its first message arrives. An exception in a client's thread ends only
 * that client's connection. Thread-safe.
 */
public final class DeviceServer implements AutoCloseable {
  /** Time within which the first message of a connection must arrive. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  // Reconnecting costs the device process much more than it costs the client.
  private static final int CONNECTIONS_AT_ONCE = 256;
  private static final int CONNECTIONS_PER_SECOND = 500;

  /** Longest wait when the kernel has no descriptor for a connection. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final Executor DIRECTLY = Runnable::run;

  /** Serves clients that have connected. */
  public interface Service {

    /** Serves a client until it ends or hangs up, and frees its objects. */
    void serve(Client client) throws IOException;

    /**
     * The quota of which a connection takes one while it is served. Its first message has arrived.
     * Must not wait.
     */
    default Quota quota(LocalSocket connection) {
      return Quota.CONNECTIONS;
    }

    /**
     * Rejects a client whose first message has arrived. Must not wait.
     *
     * @param why a sentence for it
     */
    default void refuse(LocalSocket connection, QuotaExceeded why) throws IOException {}
  }

  private final Path path;
  private final Service service;
  private final Quotas quotas;
  private final LocalSocket listener;
  private final WaitingRoom waiting;
  private final Thread acceptor;

  /** Closes what may wait. Its thread exists from the start, as there may be no other one later. */
  private final ThreadPoolExecutor closer;

  private final Credit pace;
  private final LimitedLog log = new LimitedLog("dev.bluebell.server");
  private final Set<LocalSocket> connections = new HashSet<>();
  private boolean closed;
  private long idleSince = System.nanoTime();

  /**
   * Starts to listen.
   *
   * @param path of the socket; an existing socket of this user is taken over
   * @param quotas of all clients together
   */
  public DeviceServer(Path path, Service service, Quotas quotas) throws IOException {
    this(
        path,
        listen(path).refusingDescriptors(),
        service,
        quotas,
        PATIENCE_NANOS,
        new Credit(CONNECTIONS_AT_ONCE, CONNECTIONS_PER_SECOND, System::nanoTime));
  }

  /**
   * @param listener at that path, which belongs to the server
   * @param pace of accepting connections
   */
  DeviceServer(
      Path path,
      LocalSocket listener,
      Service service,
      Quotas quotas,
      long patienceNanos,
      Credit pace) {
    this.pace = pace;
    this.path = path;
    this.service = service;
    this.quotas = quotas;
    this.listener = listener;
    waiting = new WaitingRoom(patienceNanos);
    closer =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("bluebell-close").factory());
    boolean unused = closer.prestartCoreThread();
    acceptor = Thread.ofPlatform().daemon().name("bluebell-accept").unstarted(this::accept);
    acceptor.start();
  }

  /** Listens at a path in place of an earlier server of this user. */
  static LocalSocket listen(Path path) throws IOException {
    OwnFile.requireOwn(path);
    Files.deleteIfExists(path);
    return LocalSocket.listen(path);
  }

  // No exception is expected here: one goes to the handler of uncaught exceptions, which ends the
  // device process.
  private void accept() {
    try {
      while (!isClosed()) {
        WaitingRoom.Found found = waiting.await(listener, pace.nanosToNext());
        found.late().forEach(this::dismiss);
        for (WaitingRoom.Guest guest : found.speaking()) {
          if (guest.process().hasEnded() || guest.connection().isEmpty()) {
            dismiss(guest);
          } else {
            admit(guest);
          }
        }
        if (found.hasNew() && pace.take() && !isClosed()) {
          acceptOne();
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("the device process can't wait for clients any more", e);
    } finally {
      disconnect();
      while (makeRoom()) {
        // Until none waits.
      }
      // With the connections that were not accepted.
      closer.execute(listener::close);
      closer.shutdown();
    }
  }

  private void acceptOne() {
    LocalSocket connection;
    try {
      connection = listener.accept();
    } catch (IOException e) {
      // Usually there is no descriptor: a silent connection gives way to the new one.
      if (!makeRoom() && !isClosed()) {
        log.log(Level.WARNING, "a client could not connect: " + e.getMessage());
        awaitDescriptor();
      }
      return;
    }
    try {
      if (connection.peer().uid() != Processes.userId()) {
        close(connection);
        return;
      }
      WatchedProcess process = watch(connection);
      receive(connection, process, quotas.open(process.identity()));
    } catch (SocketException e) {
      close(connection);
    } catch (IOException e) {
      log.log(Level.WARNING, "a client could not connect: " + e.getMessage());
      close(connection);
    }
  }

  /** Closes a connection that is not accepted. */
  private void close(LocalSocket connection) {
    (connection.discard() ? DIRECTLY : closer).execute(connection::close);
  }

  private WatchedProcess watch(LocalSocket connection) throws IOException {
    try {
      return connection.watch();
    } catch (SocketException gone) {
      throw gone;
    } catch (IOException e) {
      if (makeRoom()) {
        return connection.watch();
      }
      throw e;
    }
  }

  /** Closes the silent connection that has waited longest; false when there is none. */
  private boolean makeRoom() {
    WaitingRoom.Guest oldest = waiting.removeOldest();
    if (oldest != null) {
      dismiss(oldest);
    }
    return oldest != null;
  }

  /** Waits for a connection to end, which frees a descriptor, or for a while. */
  private synchronized void awaitDescriptor() {
    int before = connections.size();
    long deadline = System.nanoTime() + PAUSE_NANOS;
    try {
      for (long left = PAUSE_NANOS;
          left > 0 && !closed && connections.size() >= before;
          left = deadline - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void receive(LocalSocket connection, WatchedProcess process, Account account) {
    Account.Hold place = account.tryTake(Quota.SILENT_CONNECTIONS);
    if (place == null) {
      // Most clients send at once.
      WaitingRoom.Guest oldest = waiting.removeOldest(account);
      if (oldest != null) {
        dismiss(oldest);
        place = account.tryTake(Quota.SILENT_CONNECTIONS);
      }
    }
    if (place == null || !add(connection)) {
      if (place != null) {
        place.close();
      }
      account.close();
      close(connection);
      return;
    }
    waiting.add(new WaitingRoom.Guest(connection, process, account, System.nanoTime(), place));
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized boolean add(LocalSocket connection) {
    return !closed && connections.add(connection);
  }

  private void dismiss(WaitingRoom.Guest guest) {
    forget(guest, guest.place(), closer);
  }

  /**
   * Ends a connection.
   *
   * @param hold what it holds of the quotas; if its close may wait, until it is closed
   * @param slow runs a close that may wait
   */
  private void forget(WaitingRoom.Guest guest, Account.Hold hold, Executor slow) {
    boolean isQuick = guest.connection().discard();
    if (isQuick) {
      // A client whose connection ends may connect again at once.
      hold.close();
    }
    guest.account().close();
    synchronized (this) {
      connections.remove(guest.connection());
      idleSince = System.nanoTime();
      notifyAll();
    }
    (isQuick ? DIRECTLY : slow)
        .execute(
            () -> {
              guest.connection().close();
              hold.close();
            });
  }

  /** Gives a connection a thread. */
  private void admit(WaitingRoom.Guest guest) {
    try {
      // The connection, the pidfd that reports the end of the process, and the file that reports
      // that it executes another program.
      Account.Hold hold =
          guest
              .account()
              .take(service.quota(guest.connection()))
              .and(Quota.THREADS, 1)
              .and(Quota.DESCRIPTORS, 3);
      Thread unused = Threads.start("bluebell-client", hold, () -> serve(guest, hold));
      guest.place().close();
    } catch (QuotaExceeded exceeded) {
      refuse(guest, exceeded);
    }
  }

  private void refuse(WaitingRoom.Guest guest, QuotaExceeded why) {
    log.log(Level.WARNING, "a client is not served: " + why.getMessage());
    try {
      service.refuse(guest.connection(), why);
    } catch (IOException e) {
      log.log(Level.DEBUG, "a client that is not served is gone", e);
    }
    dismiss(guest);
  }

  private void serve(WaitingRoom.Guest guest, Account.Hold hold) {
    try {
      service.serve(new Client(guest.connection(), guest.process(), guest.account(), log));
    } catch (SocketException e) {
      log.log(Level.DEBUG, "a client is gone", e);
    } catch (IOException e) {
      // A failure after the end of the client is not an error.
      String why = e.getMessage() == null ? e.toString() : e.getMessage();
      Level level = guest.process().hasEnded() ? Level.DEBUG : Level.WARNING;
      log.log(level, "a client was disconnected: " + why);
    } catch (Throwable defect) {
      log.log(Level.ERROR, "a client was disconnected because serving it failed", defect);
    } finally {
      forget(guest, hold, DIRECTLY);
    }
  }

  /** Number of connected clients. */
  public synchronized int clients() {
    return connections.size();
  }

  /**
   * Waits until no client has been connected for some time, or the server is closed.
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

  /** Disconnects all clients and stops listening, and does not wait. Idempotent. */
  public void disconnect() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      notifyAll();
      connections.forEach(LocalSocket::shutdown);
    }
    listener.shutdown();
  }

  /** Disconnects all clients and stops listening; returns when all their objects are freed. */
  @Override
  public void close() throws IOException {
    disconnect();
    try {
      if (OwnFile.isOwn(path)) {
        Files.deleteIfExists(path);
      }
    } finally {
      Threads.join(acceptor);
      synchronized (this) {
        Threads.await(() -> !connections.isEmpty(), this::wait);
      }
    }
  }
}
