package dev.bluebell.connect.cm;

import dev.bluebell.hca.HcaConnectionManager;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file of the connection manager and its event thread, which delivers each event to its id.
 * Thread-safe.
 */
final class CmManager {
  private static final Logger LOGGER = System.getLogger("dev.bluebell.connect");

  private final CmFile file;
  private final AtomicLong uids = new AtomicLong();
  private final Map<Long, CmId> ids = new ConcurrentHashMap<>();
  private volatile boolean over;

  private CmManager(CmFile file) {
    this.file = file;
  }

  /** Starts the thread, which runs until the file ends. */
  static CmManager start(HcaConnectionManager opened) {
    CmManager manager = new CmManager(new CmFile(opened));
    Thread unused =
        Thread.ofPlatform().daemon().name("bluebell-rdma-cm").start(manager::passEventsOn);
    return manager;
  }

  CmFile file() {
    return file;
  }

  /** True when the file has ended: its device is closed or lost. */
  boolean isOver() {
    return over;
  }

  /** Creates an id. */
  CmId create() throws CmRefusal {
    long uid = uids.incrementAndGet();
    return remember(new CmId(this, file.create(uid), uid));
  }

  /** The id of a request; it receives events once the request is accepted with the id's uid. */
  CmId adopt(int number) {
    return remember(new CmId(this, number, uids.incrementAndGet()));
  }

  private CmId remember(CmId id) {
    ids.put(id.uid(), id);
    if (over) {
      id.deliver(CmEvent.removal());
    }
    return id;
  }

  void forget(CmId id) {
    ids.remove(id.uid());
  }

  private void passEventsOn() {
    try {
      while (file.awaitEvent()) {
        passAll();
      }
    } catch (CmRefusal e) {
      LOGGER.log(Level.DEBUG, "the connection manager delivers no more events", e);
    } finally {
      over = true;
      List.copyOf(ids.values()).forEach(id -> deliver(id, CmEvent.removal()));
    }
  }

  /** Fetches all events and delivers them. One thread at a time, so that they stay in order. */
  synchronized void passAll() throws CmRefusal {
    for (CmEvent event = file.next(); event != null; event = file.next()) {
      pass(event);
    }
  }

  private void pass(CmEvent event) {
    @Nullable CmId id = ids.get(event.uid());
    if (id != null) {
      deliver(id, event);
    } else if (event.isRequest()) {
      // Its listener was closed meanwhile.
      file.rejectForNow(event.id());
      file.destroy(event.id());
    }
  }

  private static void deliver(CmId id, CmEvent event) {
    try {
      id.deliver(event);
    } catch (RuntimeException defect) {
      LOGGER.log(Level.ERROR, "an event of %s failed".formatted(id), defect);
    }
  }
}
