package dev.bluebell.uverbs.session;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.server.EventPipe;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Carries events of the device to the descriptors that the program reads them from. Thread-safe; a
 * thread of its own waits for events as soon as there can be some.
 */
public final class EventRouter implements AutoCloseable {
  /** Time between attempts to pass on events that a program does not read. */
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final int MAX_ROUTES = 1 << 20;

  private final Hca hca;
  private final Map<Long, Route> routes = new HashMap<>();
  private final Set<EventPipe> blocked = new HashSet<>();
  private long nextCookie = 1;
  private @Nullable HcaEventChannel channel;
  private @Nullable Thread thread;
  private boolean closed;

  EventRouter(Hca hca) {
    this.hca = hca;
  }

  /** Where one kind of event of one object goes. */
  public final class Route {
    private final @Nullable HcaObject object;
    private final int type;
    private final long cookie;
    private final EventPipe pipe;
    private final byte[] event;
    private int written;

    private Route(@Nullable HcaObject object, int type, long cookie, EventPipe pipe, byte[] event) {
      this.object = object;
      this.type = type;
      this.cookie = cookie;
      this.pipe = pipe;
      this.event = event;
    }

    /**
     * Ends the route: no event arrives any more, and those that nobody read are gone.
     *
     * @return events that the program read
     */
    public int end() {
      synchronized (EventRouter.this) {
        if (routes.remove(cookie) == null) {
          return written;
        }
        // Objects that others have, too, would keep it.
        open().unsubscribe(object, type, cookie);
        written -= pipe.takeBack(unread -> Arrays.equals(unread, event));
        return written;
      }
    }
  }

  /**
   * Routes events.
   *
   * @param object whose events; null for those of the device
   * @param event the bytes that the program reads
   */
  public synchronized Route route(
      @Nullable HcaObject object, int type, EventPipe pipe, byte[] event) {
    Refusal.require(
        routes.size() < MAX_ROUTES,
        Errno.ENOMEM,
        "the program already waits for %d kinds of events",
        MAX_ROUTES);
    HcaEventChannel open = open();
    Route route = new Route(object, type, nextCookie++, pipe, event);
    open.subscribe(object, type, route.cookie);
    routes.put(route.cookie, route);
    return route;
  }

  private HcaEventChannel open() {
    if (channel == null) {
      HcaEventChannel opened = hca.openEventChannel();
      channel = opened;
      thread = Thread.ofPlatform().daemon().name("bluebell-events").start(() -> run(opened));
    }
    return channel;
  }

  private void run(HcaEventChannel events) {
    try {
      while (true) {
        HcaEvent event = events.await(isBlocked() ? RETRY_NANOS : -1);
        if (event != null) {
          deliver(event);
        } else if (isClosed()) {
          return;
        } else {
          retry();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isBlocked() {
    return !blocked.isEmpty();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void deliver(HcaEvent event) {
    Route route = routes.get(event.cookie());
    if (route != null) {
      route.written++;
      route.pipe.write(route.event);
      if (!route.pipe.flush()) {
        blocked.add(route.pipe);
      }
    }
  }

  private synchronized void retry() {
    blocked.removeIf(EventPipe::flush);
  }

  /** Ends all routes and waits for the thread to end. */
  @Override
  public void close() {
    HcaEventChannel open;
    Thread running;
    synchronized (this) {
      closed = true;
      routes.clear();
      open = channel;
      running = thread;
    }
    if (open != null && running != null) {
      open.close();
      boolean interrupted = false;
      while (running.isAlive()) {
        try {
          running.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
