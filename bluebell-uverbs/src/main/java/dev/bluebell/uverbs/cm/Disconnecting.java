package dev.bluebell.uverbs.cm;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The ends whose DREQ awaits an answer, by client. No operation looks at all of them, because all
 * clients wait for the lock. Guarded by the {@link ConnectionManager}.
 */
final class Disconnecting {
  private final Map<RemoteEnd, Crowd> byEnd = new HashMap<>();
  private final Map<Object, Crowd> byClient = new HashMap<>();
  private final TreeSet<Crowd> bySize =
      new TreeSet<>(
          Comparator.comparingInt((Crowd each) -> each.ends.size())
              .thenComparing(each -> each.number, Comparator.reverseOrder()));

  private long numbers;

  /** The ends of a client, oldest first. */
  private static final class Crowd {
    private final Object client;
    private final long number;
    private final SequencedSet<RemoteEnd> ends = new LinkedHashSet<>();

    Crowd(Object client, long number) {
      this.client = client;
      this.number = number;
    }
  }

  void add(RemoteEnd end) {
    Crowd crowd = byClient.computeIfAbsent(end.client(), client -> new Crowd(client, numbers++));
    byEnd.put(end, crowd);
    bySize.remove(crowd);
    crowd.ends.add(end);
    bySize.add(crowd);
  }

  /** Removes an end if it is here. */
  void remove(RemoteEnd end) {
    @Nullable Crowd crowd = byEnd.remove(end);
    if (crowd == null) {
      return;
    }
    bySize.remove(crowd);
    crowd.ends.remove(end);
    if (crowd.ends.isEmpty()) {
      byClient.remove(crowd.client);
    } else {
      bySize.add(crowd);
    }
  }

  int size() {
    return byEnd.size();
  }

  /** The oldest end of the client that has the most. */
  RemoteEnd oldestOfMost() {
    return bySize.last().ends.getFirst();
  }
}
