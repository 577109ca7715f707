package dev.bluebell.server.remote;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.server.Account;
import dev.bluebell.server.Client;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Threads;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The event subscriptions of a client. Subscribes at the device once per object and event type,
 * however often the client does. Thread-safe; a dedicated thread passes events on.
 */
final class SessionEvents {
  private static final int MAX_TYPE = 0xff;

  private final HcaEventChannel channel;
  private final Client client;
  private final Replies replies;
  private final Map<Integer, Map<Integer, Subscription>> byObject = new HashMap<>();
  private final Map<Long, Subscription> byCookie = new HashMap<>();
  private @Nullable Thread thread;
  private long nextCookie = 1;

  /** A channel of the client, and the cookie of its subscription. */
  private record Target(int channel, long cookie) {}

  /** One event type of one object and its targets; the device itself has handle 0. */
  private final class Subscription {
    private final int handle;
    private final @Nullable HcaObject object;
    private final int type;
    private final long cookie;
    private final Map<Target, Account.Hold> targets = new LinkedHashMap<>();

    Subscription(int handle, @Nullable HcaObject object, int type, long cookie) {
      this.handle = handle;
      this.object = object;
      this.type = type;
      this.cookie = cookie;
    }

    void add(Target target) {
      if (!targets.containsKey(target)) {
        targets.put(target, client.account().take(Quota.SUBSCRIPTIONS));
      }
    }

    void removeChannel(int number) {
      targets
          .entrySet()
          .removeIf(
              entry -> {
                if (entry.getKey().channel() != number) {
                  return false;
                }
                entry.getValue().close();
                return true;
              });
    }

    void forget() {
      targets.values().forEach(Account.Hold::close);
      byCookie.remove(cookie);
    }
  }

  SessionEvents(Hca hca, Client client, Replies replies) {
    this.client = client;
    this.replies = replies;
    channel = hca.openEventChannel();
  }

  /** Subscribes a channel to an event type; a repeated subscription has no effect. */
  synchronized void subscribe(
      int number, int handle, @Nullable HcaObject object, int type, long cookie) {
    if (type < 0 || type > MAX_TYPE) {
      throw new IllegalArgumentException("there is no event type 0x%x".formatted(type));
    }
    Map<Integer, Subscription> types = byObject.computeIfAbsent(handle, any -> new HashMap<>());
    Subscription subscription = types.get(type);
    if (subscription == null) {
      subscription = new Subscription(handle, object, type, nextCookie++);
      subscription.add(new Target(number, cookie));
      try {
        channel.subscribe(object, type, subscription.cookie);
      } catch (RuntimeException | Error e) {
        subscription.forget();
        throw e;
      }
      types.put(type, subscription);
      byCookie.put(subscription.cookie, subscription);
    } else {
      subscription.add(new Target(number, cookie));
    }
    if (thread == null) {
      thread = client.start("bluebell-events", this::run);
    }
  }

  /** Ends all subscriptions of a channel of the client. */
  synchronized void closeChannel(int number) {
    for (Subscription subscription : List.copyOf(byCookie.values())) {
      subscription.removeChannel(number);
      if (subscription.targets.isEmpty()) {
        channel.unsubscribe(subscription.object, subscription.type, subscription.cookie);
        byCookie.remove(subscription.cookie);
        byObject.computeIfPresent(
            subscription.handle,
            (handle, types) ->
                types.remove(subscription.type) != null && types.isEmpty() ? null : types);
      }
    }
  }

  /** Ends all subscriptions of an object that was destroyed. */
  synchronized void forget(int handle) {
    Map<Integer, Subscription> types = byObject.remove(handle);
    if (types != null) {
      types.values().forEach(Subscription::forget);
    }
  }

  private synchronized List<Target> targets(long cookie) {
    Subscription subscription = byCookie.get(cookie);
    return subscription == null ? List.of() : List.copyOf(subscription.targets.keySet());
  }

  private void run() {
    try {
      for (HcaEvent event = channel.await(-1); event != null; event = channel.await(-1)) {
        for (Target target : targets(event.cookie())) {
          if (!replies.event(target.channel(), event, target.cookie())) {
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the thread; the caller makes sure that sending does not block. */
  void close() {
    channel.close();
    Thread running;
    synchronized (this) {
      running = thread;
      byCookie
          .values()
          .forEach(subscription -> subscription.targets.values().forEach(Account.Hold::close));
    }
    if (running != null) {
      Threads.join(running);
    }
  }
}
