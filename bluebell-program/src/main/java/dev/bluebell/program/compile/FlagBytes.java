package dev.bluebell.program.compile;

import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Span;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The bytes of a word that its operand does not need, used as flags, from the last one. */
final class FlagBytes {
  private final Area word;
  private final int first;
  private final Map<Values, Integer> offsets = new LinkedHashMap<>();

  private record Values(int whenTrue, int whenFalse) {}

  /**
   * A flag, with its value when the condition holds.
   *
   * @param span the byte
   * @param whenTrue its value when the condition holds
   */
  record Flag(Span span, int whenTrue) {}

  /**
   * @param first offset of the first free byte
   */
  FlagBytes(Area word, int first) {
    this.word = word;
    this.first = first;
  }

  /** A flag with these values; empty when the word is full. */
  Optional<Span> find(int whenTrue, int whenFalse) {
    Values values = new Values(whenTrue, whenFalse);
    Integer found = offsets.get(values);
    int offset = found == null ? Long.BYTES - 1 - offsets.size() : found;
    if (offset < first) {
      return Optional.empty();
    }
    if (found == null) {
      offsets.put(values, offset);
    }
    return Optional.of(word.span(offset, 1));
  }

  /** Any existing flag, or a new one if there is none. */
  Flag any() {
    if (offsets.isEmpty()) {
      offsets.put(new Values(1, 0), Long.BYTES - 1);
    }
    Map.Entry<Values, Integer> one = offsets.entrySet().iterator().next();
    return new Flag(word.span(one.getValue(), 1), one.getKey().whenTrue());
  }

  /** The word with all flags as they are when the condition holds; other bytes are 0. */
  long whenTrue() {
    return sum(true);
  }

  /** The word with all flags as they are when the condition does not hold. */
  long whenFalse() {
    return sum(false);
  }

  /** The word with ones in the bytes of flags. */
  long mask() {
    return offsets.values().stream().mapToLong(offset -> 0xffL << 8 * offset).sum();
  }

  private long sum(boolean holds) {
    long sum = 0;
    for (Map.Entry<Values, Integer> flag : offsets.entrySet()) {
      Values values = flag.getKey();
      sum |= (long) (holds ? values.whenTrue() : values.whenFalse()) << 8 * flag.getValue();
    }
    return sum;
  }
}
