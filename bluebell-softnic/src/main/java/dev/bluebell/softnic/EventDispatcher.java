package dev.bluebell.softnic;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.softnic.queue.Events;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Delivers events to the channels that subscribed to them. Thread-safe. */
final class EventDispatcher implements Events {

  /** One subscription of a channel. */
  private record Subscription(SoftEventChannel channel, long cookie) {}

  private final Map<Long, Set<Subscription>> subscriptions = new HashMap<>();

  /** The subscriptions of each channel, so that closing it needs no search. */
  private final Map<SoftEventChannel, Set<Long>> keys = new HashMap<>();

  /** Events of the device itself have object number 0. */
  synchronized void subscribe(SoftEventChannel channel, int number, int type, long cookie) {
    long key = key(type, number);
    subscriptions
        .computeIfAbsent(key, k -> new LinkedHashSet<>())
        .add(new Subscription(channel, cookie));
    keys.computeIfAbsent(channel, c -> new HashSet<>()).add(key);
  }

  /** Ends a subscription, if it still exists. */
  synchronized void unsubscribe(SoftEventChannel channel, int number, int type, long cookie) {
    long key = key(type, number);
    Set<Subscription> set = subscriptions.get(key);
    if (set == null || !set.remove(new Subscription(channel, cookie))) {
      return;
    }
    if (set.isEmpty()) {
      subscriptions.remove(key);
    }
    if (set.stream().noneMatch(other -> other.channel() == channel)) {
      removeKey(channel, key);
    }
  }

  private void removeKey(SoftEventChannel channel, long key) {
    keys.computeIfPresent(
        channel, (same, asked) -> asked.remove(key) && asked.isEmpty() ? null : asked);
  }

  synchronized void unsubscribe(SoftEventChannel channel) {
    Set<Long> asked = keys.remove(channel);
    if (asked != null) {
      asked.forEach(key -> subscriptions.computeIfPresent(key, (k, set) -> without(channel, set)));
    }
  }

  private static @Nullable Set<Subscription> without(
      SoftEventChannel channel, Set<Subscription> set) {
    set.removeIf(subscription -> subscription.channel() == channel);
    return set.isEmpty() ? null : set;
  }

  /**
   * Forgets the subscriptions of an object that is destroyed, because its number will be used
   * again.
   */
  synchronized void forget(int number, Iterable<Integer> types) {
    types.forEach(type -> forget(key(type, number)));
  }

  private void forget(long key) {
    Set<Subscription> gone = subscriptions.remove(key);
    if (gone != null) {
      gone.forEach(subscription -> removeKey(subscription.channel(), key));
    }
  }

  /**
   * Number of channels that have subscriptions, plus number of pairs of an object and an event type
   * that have one.
   */
  synchronized int size() {
    return subscriptions.size() + keys.size();
  }

  @Override
  public synchronized void raise(int type, int number, int syndrome) {
    // Of the port, the device has subscriptions as of itself.
    int object = type == HcaEvent.PORT_CHANGE ? 0 : number;
    Set<Subscription> set = subscriptions.get(key(type, object));
    if (set != null) {
      for (Subscription subscription : set) {
        subscription.channel().offer(new HcaEvent(type, number, syndrome, subscription.cookie()));
      }
    }
  }

  private static long key(int type, int number) {
    return (long) type << 32 | number & 0xffffffffL;
  }
}
