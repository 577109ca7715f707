package dev.bluebell.softnic.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The clients that have deadlines. Owned by the thread that runs the engine. */
final class TimedClients {
  private final List<Client> timed = new ArrayList<>();

  // The clients of the last search, in a list that is used again.
  private final List<Client> due = new ArrayList<>();

  // A time before which no deadline of a client that is not ready expires.
  private long next = Long.MAX_VALUE;

  /** See {@link Scheduler#schedule}. */
  void schedule(Client client, Work work) {
    client.timers().schedule(work);
    if (work.ranked && !client.timed) {
      client.timed = true;
      timed.add(client);
    }
    note(client);
  }

  /** Takes the first deadline of a client into account. */
  void note(Client client) {
    next = Math.min(next, client.timers().next());
  }

  /** True when {@link #findDue} may find a client. */
  boolean mayBeDue(long now) {
    return next <= now;
  }

  /** Clients with expired deadlines; valid until the next call. */
  List<Client> findDue(long now) {
    due.clear();
    next = Long.MAX_VALUE;
    for (int i = timed.size() - 1; i >= 0; i--) {
      Client client = timed.get(i);
      long first = client.timers().next();
      if (first > now) {
        next = Math.min(next, first);
      } else {
        due.add(client);
      }
      if (first == Long.MAX_VALUE) {
        client.timed = false;
        timed.remove(i);
      }
    }
    return due;
  }

  /**
   * The first of their times, except for clients that wait for a page; {@link Long#MAX_VALUE} for
   * none.
   */
  long first(ToLongFunction<TimerQueue> of) {
    long first = Long.MAX_VALUE;
    for (int i = 0; i < timed.size(); i++) {
      Client client = timed.get(i);
      first = client.frozen > 0 ? first : Math.min(first, of.applyAsLong(client.timers()));
    }
    return first;
  }
}
