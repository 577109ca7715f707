package dev.bluebell.softnic.option;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Faults that a device injects, so that clients meet what else they could not provoke.
 *
 * @param rules what happens when; several may happen to one thing, and the first of them counts
 * @param seed of the random that decides where a rule names a share
 */
public record FaultOptions(List<FaultRule> rules, long seed) {
  /** Keeps a copy of the rules. */
  public FaultOptions {
    rules = List.copyOf(rules);
  }

  /**
   * Reads rules that are joined by {@code +}, such as {@code remote-access@3+drop-cqe@1%}.
   *
   * @throws IllegalArgumentException when one of them is none
   */
  public static FaultOptions parse(String text, long seed) {
    return new FaultOptions(
        Arrays.stream(text.split("\\+", -1)).map(FaultRule::parse).toList(), seed);
  }

  FaultOptions withSeed(long newSeed) {
    return new FaultOptions(rules, newSeed);
  }

  /** As options of a device. */
  @Override
  public String toString() {
    return "fail=%s,seed=%d"
        .formatted(rules.stream().map(FaultRule::toString).collect(Collectors.joining("+")), seed);
  }
}
