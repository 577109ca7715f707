package dev.bluebell.connect.cm;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.hca.uverbs.CmEventType;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An id of the connection manager and its events: first a thread waits for them; once a handler is
 * set, it receives them. Thread-safe.
 */
final class CmId {
  private final CmManager manager;
  private final int number;
  private final long uid;
  private final BlockingQueue<CmEvent> events = new LinkedBlockingQueue<>();
  private @Nullable Consumer<CmEvent> handler;
  private boolean destroyed;

  /**
   * @param uid of its events
   */
  CmId(CmManager manager, int number, long uid) {
    this.manager = manager;
    this.number = number;
    this.uid = uid;
  }

  int number() {
    return number;
  }

  long uid() {
    return uid;
  }

  CmManager manager() {
    return manager;
  }

  CmFile file() {
    return manager.file();
  }

  /** Takes an event from the thread of the file. */
  synchronized void deliver(CmEvent event) {
    if (handler == null) {
      events.add(event);
    } else {
      handler.accept(event);
    }
  }

  /** Passes the events that are queued, and then all later ones, to a handler. */
  synchronized void handle(Consumer<CmEvent> with) {
    handler = with;
    for (CmEvent event = events.poll(); event != null; event = events.poll()) {
      with.accept(event);
    }
  }

  /**
   * Waits for the next event.
   *
   * @param deadline of {@link System#nanoTime}
   * @throws ConnectionException at the deadline, or when the thread is interrupted
   */
  CmEvent await(long deadline) throws ConnectionException {
    @Nullable CmEvent event;
    try {
      event = events.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectionException("interrupted while waiting for the peer", e);
    }
    if (event == null) {
      throw new ConnectionException("no answer in time");
    }
    return event;
  }

  /** Waits for the next event and checks its type. */
  CmEvent await(CmEventType wanted, long deadline) throws ConnectionException {
    CmEvent event = await(deadline);
    if (!event.is(wanted)) {
      throw new ConnectionException(event.kind());
    }
    return event;
  }

  /** Asks the peer to disconnect, unless the id was destroyed: another one may have its number. */
  synchronized void disconnect() throws CmRefusal {
    if (!destroyed) {
      file().disconnect(number);
    }
  }

  /** Ends the id, which notifies its peer. Idempotent. */
  void destroy() {
    synchronized (this) {
      if (destroyed) {
        return;
      }
      destroyed = true;
    }
    manager.forget(this);
    file().destroy(number);
  }

  @Override
  public String toString() {
    return "id " + number;
  }
}
