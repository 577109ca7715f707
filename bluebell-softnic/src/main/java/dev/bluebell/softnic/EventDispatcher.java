package dev.bluebell.softnic;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.softnic.queue.Events;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Delivers events to the channels that subscribed to them. Thread-safe. */
final class EventDispatcher implements Events {

  /** What a channel asked for. */
  private record Subscription(SoftEventChannel channel, long cookie) {}

  private final Map<Long, List<Subscription>> subscriptions = new HashMap<>();

  /** Events of the device itself have object number 0. */
  synchronized void subscribe(SoftEventChannel channel, int number, int type, long cookie) {
    subscriptions
        .computeIfAbsent(key(type, number), k -> new ArrayList<>())
        .add(new Subscription(channel, cookie));
  }

  /** Ends one subscription, if it is still there. */
  synchronized void unsubscribe(SoftEventChannel channel, int number, int type, long cookie) {
    subscriptions.computeIfPresent(
        key(type, number),
        (key, list) ->
            list.remove(new Subscription(channel, cookie)) && list.isEmpty() ? null : list);
  }

  synchronized void unsubscribe(SoftEventChannel channel) {
    subscriptions
        .values()
        .removeIf(list -> list.removeIf(s -> s.channel() == channel) && list.isEmpty());
  }

  /**
   * Forgets the subscriptions of an object that is destroyed, because its number will be used
   * again.
   */
  synchronized void forget(int number, Iterable<Integer> types) {
    types.forEach(type -> subscriptions.remove(key(type, number)));
  }

  @Override
  public synchronized void raise(int type, int number, int syndrome) {
    List<Subscription> list = subscriptions.get(key(type, number));
    if (list != null) {
      for (Subscription subscription : list) {
        subscription.channel().offer(new HcaEvent(type, number, syndrome, subscription.cookie()));
      }
    }
  }

  private static long key(int type, int number) {
    return (long) type << 32 | number & 0xffffffffL;
  }
}
