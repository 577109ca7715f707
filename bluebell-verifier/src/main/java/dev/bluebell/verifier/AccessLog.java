package dev.bluebell.verifier;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The accesses that later ones must be ordered after: for each word, the last writes and the reads
 * since. Accesses at unknown places are kept separately, since they may be anywhere in a region.
 */
final class AccessLog {
  /** Longer accesses are kept whole instead of by word. */
  private static final int WIDE = 512;

  private final Map<Integer, List<Access>> words = new HashMap<>();
  private final List<Access> wide = new ArrayList<>();

  /** Bytes with two unordered writes, which must never be read, and one of the writes. */
  private final NavigableMap<Integer, Access> unsettled = new TreeMap<>();

  /** First place where two writes must be ordered, because other parties read there. */
  private final int readElsewhere;

  /** Places of integers that several requests add to without an order. */
  private final Set<Integer> sums;

  AccessLog(int readElsewhere, Set<Integer> sums) {
    this.readElsewhere = readElsewhere;
    this.sums = sums;
  }

  AccessLog copy() {
    AccessLog copy = new AccessLog(readElsewhere, sums);
    words.forEach((word, list) -> copy.words.put(word, new ArrayList<>(list)));
    copy.wide.addAll(wide);
    copy.unsettled.putAll(unsettled);
    return copy;
  }

  /**
   * Adds an access.
   *
   * @return an earlier access that conflicts and is not certainly over; null when there is none
   */
  @Nullable Access add(Access access) {
    for (Access old : wide) {
      if (conflict(old, access)) {
        return old;
      }
    }
    if (access.to() - access.from() > WIDE) {
      for (List<Access> list : words.values()) {
        for (Access old : list) {
          if (conflict(old, access)) {
            return old;
          }
        }
      }
      wide.removeIf(old -> covers(access, old, old.from(), old.to()));
      wide.add(access);
      return null;
    }
    for (int word = access.from() >> 3; word << 3 < access.to(); word++) {
      List<Access> list = words.computeIfAbsent(word, unused -> new ArrayList<>());
      for (Access old : list) {
        if (conflict(old, access)) {
          return old;
        }
      }
      int first = word << 3;
      list.removeIf(old -> covers(access, old, first, first + 8));
      list.add(access);
    }
    return null;
  }

  /** Adds a read of a word, which the caller has ordered after the writes so far. */
  void enter(Access access) {
    words.computeIfAbsent(access.from() >> 3, unused -> new ArrayList<>()).add(access);
  }

  private boolean conflict(Access old, Access access) {
    if (!old.writes() && !access.writes() || !old.overlaps(access) || old.isBefore(access)) {
      return false;
    }
    if (old.addsWith(access) && sums.contains(old.from())) {
      return false;
    }
    if (old.reads() || access.reads() || access.to() > readElsewhere) {
      return true;
    }
    int to = Math.min(old.to(), access.to());
    for (int place = Math.max(old.from(), access.from()); place < to; place++) {
      unsettled.put(place, old);
    }
    return false;
  }

  /** Marks the bytes that an access writes as uncertain. */
  void unsettle(Access access) {
    for (int place = access.from(); place < access.to(); place++) {
      unsettled.put(place, access);
    }
  }

  /** A write of uncertain bytes in a range; null when there is none. */
  @Nullable Access unsettled(int from, int to) {
    Map.Entry<Integer, Access> first = unsettled.ceilingEntry(from);
    return first != null && first.getKey() < to ? first.getValue() : null;
  }

  /** True when the uncertain bytes at a place are the original value of a sum. */
  boolean isSum(int place) {
    Access access = unsettled.get(place);
    return access != null && access.adds();
  }

  /** All uncertain bytes, which must not be read. */
  Set<Integer> unsettled() {
    return unsettled.keySet();
  }

  // An access that is ordered after the new one within a word is ordered after the old one as well.
  // One that is not is refused against the new one. But two WRITEs that only write, and two sums,
  // may be in any order: they must be compared with what the new one would hide.
  private static boolean covers(Access access, Access old, int from, int to) {
    boolean place =
        Math.max(access.from(), from) <= Math.max(old.from(), from)
            && Math.min(access.to(), to) >= Math.min(old.to(), to)
            && old.from() < to
            && from < old.to();
    if (!place) {
      return false;
    }
    if (access.kind() == Access.Kind.WRITE && old.reads()
        || access.adds() && !old.addsWith(access)) {
      return false;
    }
    boolean follows = old.isBefore(access);
    boolean laterOfItsChain =
        old.span().chain() == access.span().chain() && old.span().end() <= access.span().end();
    return access.writes() ? follows : !old.writes() && (follows || laterOfItsChain);
  }

  /** Forgets accesses that are over before anything else can start. */
  void forget(List<Clock> frontier) {
    Predicate<Access> isOver = access -> frontier.stream().allMatch(access.span()::isOverAt);
    words.values().forEach(list -> list.removeIf(isOver));
    words.values().removeIf(List::isEmpty);
    wide.removeIf(isOver);
  }

  void forEach(Consumer<Access> consumer) {
    words.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> entry.getValue().forEach(consumer));
    wide.forEach(consumer);
  }
}
