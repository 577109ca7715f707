package dev.bluebell.uverbs.session;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.server.Account;
import dev.bluebell.server.Client;
import dev.bluebell.server.EventPipe;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Threads;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Routes events of the device to the descriptors from which the client reads them. Thread-safe; a
 * dedicated thread waits for events, from the first route on.
 */
public final class EventRouter implements AutoCloseable {
  /** Time between attempts to pass on events that do not fit. */
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Hca hca;
  private final Client client;
  private final Map<Source, Fan> fans = new HashMap<>();
  private final Map<Long, Fan> byCookie = new HashMap<>();
  private final Set<EventPipe> blocked = new HashSet<>();
  private long nextCookie = 1;
  private @Nullable HcaEventChannel channel;
  private @Nullable Thread thread;
  private boolean closed;

  EventRouter(Hca hca, Client client) {
    this.hca = hca;
    this.client = client;
  }

  /** One kind of event of one object. */
  private record Source(@Nullable HcaObject object, int type) {}

  /** The routes of one source, which share a single subscription at the device. */
  private static final class Fan {
    private final Source source;
    private final long cookie;
    private final Set<Route> routes = new LinkedHashSet<>();

    Fan(Source source, long cookie) {
      this.source = source;
      this.cookie = cookie;
    }
  }

  /** The route of one event type of one object to a descriptor. */
  public final class Route {
    private final Fan fan;
    private final EventPipe pipe;
    private final IntFunction<byte[]> event;
    private final Account.Hold hold;
    private int written;

    private Route(Fan fan, EventPipe pipe, IntFunction<byte[]> event, Account.Hold hold) {
      this.fan = fan;
      this.pipe = pipe;
      this.event = event;
      this.hold = hold;
    }

    /**
     * Ends the route, and takes its unread events back.
     *
     * @return events that the client read
     */
    public int end() {
      synchronized (EventRouter.this) {
        if (remove()) {
          byte[] own = event.apply(0);
          written -= pipe.takeBack(unread -> Arrays.equals(unread, own));
        }
        return written;
      }
    }

    /** Ends the route to a file that is closed, which drops its unread events. */
    public void drop() {
      synchronized (EventRouter.this) {
        boolean unused = remove();
      }
    }

    private boolean remove() {
      hold.close();
      if (!fan.routes.remove(this)) {
        return false;
      }
      if (fan.routes.isEmpty()) {
        fans.remove(fan.source);
        byCookie.remove(fan.cookie);
        // Needed for objects that other clients share: they would keep the subscription.
        open().unsubscribe(fan.source.object(), fan.source.type(), fan.cookie);
      }
      return true;
    }
  }

  /**
   * Routes events.
   *
   * @param object whose events; null for those of the device
   * @param event the bytes that the client reads
   */
  public Route route(@Nullable HcaObject object, int type, EventPipe pipe, byte[] event) {
    return route(object, type, pipe, syndrome -> event);
  }

  /**
   * Routes events that differ by their syndrome.
   *
   * @param object whose events; null for those of the device
   * @param event the bytes that the client reads; empty for a syndrome that is not reported
   */
  public synchronized Route route(
      @Nullable HcaObject object, int type, EventPipe pipe, IntFunction<byte[]> event) {
    Account.Hold hold = client.account().take(Quota.SUBSCRIPTIONS);
    try {
      HcaEventChannel open = open();
      Source source = new Source(object, type);
      Fan fan = fans.get(source);
      if (fan == null) {
        fan = new Fan(source, nextCookie++);
        open.subscribe(object, type, fan.cookie);
        fans.put(source, fan);
        byCookie.put(fan.cookie, fan);
      }
      Route route = new Route(fan, pipe, event, hold);
      fan.routes.add(route);
      return route;
    } catch (RuntimeException e) {
      hold.close();
      throw e;
    }
  }

  private HcaEventChannel open() {
    if (channel == null) {
      HcaEventChannel opened = hca.openEventChannel();
      try {
        thread = client.start("bluebell-events", () -> run(opened));
      } catch (RuntimeException e) {
        opened.close();
        throw e;
      }
      channel = opened;
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
    Fan fan = byCookie.get(event.cookie());
    if (fan == null) {
      return;
    }
    for (Route route : fan.routes) {
      byte[] bytes = route.event.apply(event.syndrome());
      if (bytes.length == 0) {
        continue;
      }
      if (!route.pipe.write(bytes)) {
        // As in the kernel when it has no memory for an event.
        client.log().log(Level.WARNING, "a client does not read its events, and lost one");
        continue;
      }
      route.written++;
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
      for (Fan fan : fans.values()) {
        fan.routes.forEach(route -> route.hold.close());
        fan.routes.clear();
      }
      fans.clear();
      byCookie.clear();
      open = channel;
      running = thread;
    }
    if (open != null && running != null) {
      open.close();
      Threads.join(running);
    }
  }
}
