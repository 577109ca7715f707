package dev.bluebell.server;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connections that have not said yet what they want, in the order in which they came: each costs a
 * descriptor and no thread, until it says something or has waited too long. For one thread.
 */
final class WaitingRoom {
  private final long patienceNanos;
  private final ArrayDeque<Guest> guests = new ArrayDeque<>();

  /**
   * @param patienceNanos how long a connection may say nothing
   */
  WaitingRoom(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  /**
   * A connection that waits.
   *
   * @param since on the clock of {@link System#nanoTime}
   * @param place what it holds while it waits
   */
  record Guest(LocalSocket connection, Account account, long since, Account.Hold place) {}

  void add(Guest guest) {
    guests.add(guest);
  }

  /** The connection of a program that has waited longest, which leaves; null when there is none. */
  @Nullable Guest removeOldest(Account account) {
    for (Guest guest : guests) {
      if (guest.account().equals(account)) {
        guests.remove(guest);
        return guest;
      }
    }
    return null;
  }

  /** The connection that has waited longest, which leaves; null when there is none. */
  @Nullable Guest removeOldest() {
    return guests.pollFirst();
  }

  /**
   * Waits until there is something to do: somebody wants to connect, a connection says something or
   * hangs up, or one has waited too long.
   *
   * @return true when somebody wants to connect
   */
  boolean await(LocalSocket listener, List<Guest> speaking, List<Guest> late) throws IOException {
    List<LocalSocket> sockets = new ArrayList<>(1 + guests.size());
    sockets.add(listener);
    guests.forEach(guest -> sockets.add(guest.connection()));
    boolean[] ready = LocalSocket.awaitAny(sockets, nanosToDeadline());
    int index = 1;
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
    return ready[0];
  }

  private long nanosToDeadline() {
    Guest first = guests.peekFirst();
    return first == null ? -1 : Math.max(0, patienceNanos - (System.nanoTime() - first.since()));
  }
}
