package dev.bluebell.server.remote;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events that a client asked for. The device is asked once for each kind of each object,
 * however often the client asks. Thread-safe; a thread of its own passes events on.
 */
final class SessionEvents {
  private static final int MAX_TYPE = 0xff;
  private static final int MAX_SUBSCRIPTIONS = 1 << 16;

  private final HcaEventChannel channel;
  private final Sink sink;
  private final Map<Source, Long> cookies = new HashMap<>();
  private final Map<Long, List<Target>> targets = new HashMap<>();
  private @Nullable Thread thread;
  private int subscriptions;
  private long nextCookie = 1;

  /** Takes events. */
  interface Sink {

    /** Passes an event on; false when nobody listens any more. */
    boolean event(int channel, HcaEvent event, long cookie);
  }

  /** One kind of event of one object; the device itself has handle 0. */
  private record Source(int handle, int type) {}

  /** A channel of the client, and the cookie of its subscription. */
  private record Target(int channel, long cookie) {}

  SessionEvents(Hca hca, Sink sink) {
    this.sink = sink;
    channel = hca.openEventChannel();
  }

  synchronized void subscribe(
      int client, int handle, @Nullable HcaObject object, int type, long cookie) {
    if (type < 0 || type > MAX_TYPE || subscriptions >= MAX_SUBSCRIPTIONS) {
      throw new IllegalArgumentException(
          "a program with %d subscriptions can't subscribe to event type 0x%x"
              .formatted(subscriptions, type));
    }
    Long own = cookies.get(new Source(handle, type));
    if (own == null) {
      own = nextCookie++;
      channel.subscribe(object, type, own);
      cookies.put(new Source(handle, type), own);
    }
    targets.computeIfAbsent(own, unused -> new ArrayList<>()).add(new Target(client, cookie));
    subscriptions++;
    if (thread == null) {
      thread = Thread.ofPlatform().daemon().name("bluebell-events").start(this::run);
    }
  }

  /** Ends all subscriptions of a channel of the client. */
  synchronized void closeChannel(int client) {
    for (List<Target> list : targets.values()) {
      int before = list.size();
      list.removeIf(target -> target.channel() == client);
      subscriptions -= before - list.size();
    }
  }

  /** Ends all subscriptions of an object that was destroyed. */
  synchronized void forget(int handle) {
    cookies
        .entrySet()
        .removeIf(
            entry -> {
              if (entry.getKey().handle() != handle) {
                return false;
              }
              List<Target> list = targets.remove(entry.getValue());
              subscriptions -= list == null ? 0 : list.size();
              return true;
            });
  }

  private synchronized List<Target> targets(long cookie) {
    return List.copyOf(targets.getOrDefault(cookie, List.of()));
  }

  private void run() {
    try {
      for (HcaEvent event = channel.await(-1); event != null; event = channel.await(-1)) {
        for (Target target : targets(event.cookie())) {
          if (!sink.event(target.channel(), event, target.cookie())) {
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the thread; the caller makes sure that the sink does not block. */
  void close() {
    channel.close();
    Thread running;
    synchronized (this) {
      running = thread;
    }
    boolean interrupted = false;
    while (running != null && running.isAlive()) {
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
