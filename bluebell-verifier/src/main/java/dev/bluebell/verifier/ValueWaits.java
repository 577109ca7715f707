package dev.bluebell.verifier;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The changes that WAITs for values in memory may have seen when they end, on a path of a proof:
 * the words that such WAITs compare, and all changes of them. A device may read at any time, so a
 * WAIT may end after any set of changes that satisfies it; the events that have certainly happened
 * then are those common to all these sets.
 */
final class ValueWaits {
  /** Maximum number of changes that are not ordered with a WAIT. */
  private static final int MOST_CHANGES = 12;

  /**
   * A change of a word.
   *
   * @param access the access that makes it
   * @param kept mask of unchanged bits; all ones when it adds
   * @param bits new values of the other bits; or the addend, in host order
   * @param unknown mask of bits with an unknown new value
   * @param isAll true when its request changes nothing outside the word
   */
  private record Change(Access access, long kept, long bits, long unknown, boolean isAll) {
    Word of(Word before) {
      if (access.adds()) {
        long sum = Long.reverseBytes(Long.reverseBytes(before.value()) + bits);
        return new Word(sum, unknown | (before.unknown() == 0 ? 0 : -1));
      }
      return new Word(before.value() & kept | bits, before.unknown() & kept | unknown);
    }
  }

  /** Eight bytes, big-endian, and the mask of unknown bits. */
  private record Word(long value, long unknown) {}

  private final Map<Integer, Word> first;
  private final Map<Integer, List<Change>> changes = new TreeMap<>();

  /** Creates a log without changes, with the words that the WAITs of an image compare. */
  ValueWaits(ProgramImage image, Layout layout, int[] memory) {
    first = new TreeMap<>();
    for (Queue queue : image.queues()) {
      for (int index : Request.starts(queue.send())) {
        int place = place(layout, queue.send().slot(index));
        if (place >= 0) {
          first.put(place, word(memory, place));
        }
      }
    }
  }

  private ValueWaits(ValueWaits other) {
    first = other.first;
    other.changes.forEach((place, list) -> changes.put(place, new ArrayList<>(list)));
  }

  ValueWaits copy() {
    return new ValueWaits(this);
  }

  private static int place(Layout layout, byte[] slot) {
    try {
      Request request = Request.of(slot, false);
      return request.isValueWait() ? place(layout, request) : -1;
    } catch (IllegalRequest unused) {
      // Its execution refuses it.
      return -1;
    }
  }

  /** Place of the word that a WAIT compares. */
  static int place(Layout layout, Request request) {
    return layout.place(layout.source(request.valueKey()), request.valueAddress(), Long.BYTES);
  }

  private static Word word(int[] codes, int from) {
    long value = 0;
    long unknown = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      boolean known = Symbols.isKnown(codes[from + i]);
      value = value << Byte.SIZE | (known ? codes[from + i] : 0);
      unknown = unknown << Byte.SIZE | (known ? 0 : 0xff);
    }
    return new Word(value, unknown);
  }

  /**
   * Notes a write.
   *
   * @param addend the addend, when the access adds
   * @param isWhole true when the request writes nothing else
   */
  void change(Access access, int[] codes, long addend, boolean isWhole) {
    for (int word : first.keySet()) {
      if (word >= access.to() || access.from() >= word + Long.BYTES) {
        continue;
      }
      long kept = -1;
      long bits = 0;
      long unknown = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        int at = word + i - access.from();
        int shift = Long.SIZE - Byte.SIZE * (i + 1);
        if (at >= 0 && at < codes.length) {
          boolean known = Symbols.isKnown(codes[at]);
          kept &= ~(0xffL << shift);
          bits |= known ? (long) codes[at] << shift : 0;
          unknown |= known ? 0 : 0xffL << shift;
        }
      }
      boolean isAll = isWhole && access.from() >= word && access.to() <= word + Long.BYTES;
      Change change =
          access.adds()
              ? new Change(access, -1, addend, withCarries(unknown), isAll)
              : new Change(access, kept, bits, unknown, isAll);
      changes.computeIfAbsent(word, unused -> new ArrayList<>()).add(change);
    }
  }

  /**
   * Unknown bits of a sum: a carry out of an unknown byte may change all higher bytes, which follow
   * it in memory.
   */
  private static long withCarries(long unknown) {
    return unknown == 0 ? 0 : -1L >>> Long.numberOfLeadingZeros(unknown);
  }

  /** True when the current memory satisfies a WAIT. */
  static boolean isMet(Path path, Request request, Actor who) {
    int place = place(path.layout, request);
    path.refuseUnsettled(who.toString(), place, place + Long.BYTES);
    Word now = word(path.codes(place, Long.BYTES), 0);
    if ((now.unknown() & request.valueMask()) != 0) {
      throw new IllegalRequest("waits for %s, whose contents are unknown", path.layout.name(place));
    }
    return request.isMetBy(now.value());
  }

  /**
   * The events that have certainly happened when a satisfied WAIT ends.
   *
   * @param since events that have happened when it begins to read
   */
  Clock end(Layout layout, Rules rules, Request request, Clock since) {
    int place = place(layout, request);
    Word start = first.get(place);
    if (start == null) {
      throw new IllegalRequest("waits for memory, but was not such a WAIT at the start");
    }
    List<Change> all = changes.getOrDefault(place, List.of());
    List<Change> open = new ArrayList<>();
    for (Change each : all) {
      if (!each.access().span().isOverAt(since)) {
        open.add(each);
      }
    }
    if (open.size() > MOST_CHANGES) {
      throw new IllegalRequest(
          "waits for %s, which more than %d requests change without an order relative to it",
          layout.name(place), MOST_CHANGES);
    }
    @Nullable Clock end = null;
    for (Set<Change> seen : sets(open)) {
      Word word = start;
      for (Change each : all) {
        word = seen.contains(each) || !open.contains(each) ? each.of(word) : word;
      }
      if ((word.unknown() & request.valueMask()) != 0) {
        throw new IllegalRequest("waits for %s, whose contents are unknown", layout.name(place));
      }
      if (request.isMetBy(word.value())) {
        Clock then = since;
        for (Change each : seen) {
          then = then.and(seen(each, rules));
        }
        end = end == null ? then : end.or(then);
      }
    }
    return end == null ? since : end;
  }

  /**
   * All possible sets of changes that have happened; each includes the changes that certainly
   * precede its own.
   */
  private static Set<Set<Change>> sets(List<Change> open) {
    Set<Set<Change>> sets = new HashSet<>();
    sets.add(Set.of());
    Deque<Set<Change>> next = new ArrayDeque<>(sets);
    while (!next.isEmpty()) {
      Set<Change> set = next.remove();
      for (Change each : open) {
        boolean mayFollow =
            open.stream()
                .allMatch(other -> set.contains(other) || !other.access().isBefore(each.access()));
        if (mayFollow && !set.contains(each)) {
          Set<Change> more = new HashSet<>(set);
          more.add(each);
          if (sets.add(more)) {
            next.add(more);
          }
        }
      }
    }
    return sets;
  }

  /**
   * The events that have certainly happened when a change is visible. A request with only this
   * change is then over at the peer, unless payload may be placed out of order.
   */
  private static Clock seen(Change change, Rules rules) {
    Span span = change.access().span();
    Chain kind = Chain.values()[span.chain() % Chain.values().length];
    boolean isOver = kind == Chain.ANSWERED || kind == Chain.WRITTEN && rules.placesInOrder();
    return change.isAll() && isOver ? span.start().with(span.chain(), span.end()) : span.start();
  }
}
