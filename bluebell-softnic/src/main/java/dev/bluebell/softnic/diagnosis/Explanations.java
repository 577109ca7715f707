package dev.bluebell.softnic.diagnosis;

import dev.bluebell.hca.HcaObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The explanations of failures: the latest sentences, and those of completions, of which each
 * client has a share. Bounded; thread-safe.
 */
public final class Explanations {
  private static final int KEPT = 1024;

  private final ArrayDeque<String> latest = new ArrayDeque<>();
  private final Map<Long, String> byCompletion = new HashMap<>();

  // The keys of the explained completions, by client.
  private final SharedShelf<Long> shelf = new SharedShelf<>(KEPT);

  private final List<HcaObserver> observers = new CopyOnWriteArrayList<>();

  /** Reports all explanations about objects from now on to an observer. */
  public void observe(HcaObserver observer) {
    observers.add(observer);
  }

  /** Adds a sentence that belongs to an object, not to a completion. */
  public void add(HcaObserver.Subject subject, int number, String sentence) {
    add(sentence);
    tell(subject, number, sentence);
  }

  private void tell(HcaObserver.Subject subject, int number, String sentence) {
    for (HcaObserver observer : observers) {
      observer.explained(subject, number, sentence);
    }
  }

  /**
   * Adds a sentence that belongs to no completion: a dropped packet, an ignored doorbell, an event.
   */
  public synchronized void add(String sentence) {
    if (latest.size() == KEPT) {
      latest.removeFirst();
    }
    latest.addLast(sentence);
  }

  /**
   * Adds the sentence for the completion at cumulative index {@code index} of a CQ.
   *
   * @param client the owner of the CQ
   */
  public void add(Object client, int cqn, int index, String sentence) {
    synchronized (this) {
      long key = key(cqn, index);
      if (byCompletion.put(key, sentence) == null) {
        Long displaced = shelf.add(client, key);
        if (displaced != null) {
          byCompletion.remove(displaced);
        }
      }
      add(sentence);
    }
    tell(HcaObserver.Subject.COMPLETION_QUEUE, cqn, sentence);
  }

  public synchronized Optional<String> find(int cqn, int index) {
    return Optional.ofNullable(byCompletion.get(key(cqn, index)));
  }

  /** Forgets the completions of a destroyed CQ: another client may get its number. */
  public synchronized void forget(int cqn) {
    shelf.removeIf(key -> cqn(key) == cqn);
    byCompletion.keySet().removeIf(key -> cqn(key) == cqn);
  }

  /** The latest sentences, oldest first. */
  public synchronized List<String> all() {
    return new ArrayList<>(latest);
  }

  private static long key(int cqn, int index) {
    return (long) cqn << 32 | index & 0xffffffffL;
  }

  private static int cqn(long key) {
    return (int) (key >>> 32);
  }
}
