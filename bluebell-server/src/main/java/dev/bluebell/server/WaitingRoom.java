package dev.bluebell.server;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connections whose first message has not arrived, in order of arrival. Each costs a descriptor but
 * no thread until it sends a message or times out. For one thread.
 */
final class WaitingRoom {
  private final long patienceNanos;
  private final ArrayDeque<Guest> guests = new ArrayDeque<>();

  /**
   * @param patienceNanos time within which a connection must send a message
   */
  WaitingRoom(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  /**
   * A connection that waits.
   *
   * @param process at its other end
   * @param since on the clock of {@link System#nanoTime}
   * @param place the quota hold while it waits
   */
  record Guest(
      LocalSocket connection,
      WatchedProcess process,
      Account account,
      long since,
      Account.Hold place) {}

  void add(Guest guest) {
    guests.add(guest);
  }

  /** Like {@link #removeOldest()}, but removes one of a client if it has any. */
  @Nullable Guest removeOldest(Account account) {
    for (Guest guest : guests) {
      if (guest.account().equals(account)) {
        guests.remove(guest);
        return guest;
      }
    }
    return removeOldest();
  }

  /** Removes the connection that has waited longest; null when there is none. */
  @Nullable Guest removeOldest() {
    return guests.pollFirst();
  }

  /**
   * What a wait has found.
   *
   * @param hasNew whether a client wants to connect
   * @param speaking connections that sent a message or hung up, which wait here no more
   * @param late connections that timed out, which wait here no more
   */
  record Found(boolean hasNew, List<Guest> speaking, List<Guest> late) {}

  /**
   * Waits until a client wants to connect, a connection sends a message or hangs up, or one times
   * out; or for a minute.
   *
   * @param closedNanos for how long no client is accepted; 0 to accept now
   */
  Found await(LocalSocket listener, long closedNanos) throws IOException {
    boolean isOpen = closedNanos == 0;
    List<LocalSocket> sockets = new ArrayList<>(1 + guests.size());
    guests.forEach(guest -> sockets.add(guest.connection()));
    if (isOpen) {
      sockets.add(listener);
    }
    boolean[] ready = LocalSocket.awaitAny(sockets, patience(closedNanos));
    List<Guest> speaking = new ArrayList<>();
    List<Guest> late = new ArrayList<>();
    int index = 0;
    long now = System.nanoTime();
    for (Iterator<Guest> all = guests.iterator(); all.hasNext(); index++) {
      Guest guest = all.next();
      if (ready[index]) {
        speaking.add(guest);
        all.remove();
      } else if (now - guest.since() >= patienceNanos) {
        late.add(guest);
        all.remove();
      }
    }
    return new Found(isOpen && ready[ready.length - 1], speaking, late);
  }

  /** Nanoseconds to wait at most. */
  private long patience(long closedNanos) {
    long toOpening = closedNanos == 0 ? Long.MAX_VALUE : closedNanos;
    Guest first = guests.peekFirst();
    return first == null
        ? toOpening
        : Math.min(toOpening, Math.max(0, patienceNanos - (System.nanoTime() - first.since())));
  }
}
