package dev.bluebell.softnic.option;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The faults that a device injects, to test how clients handle failures that they could not provoke
 * otherwise.
 *
 * @param rules the faults and their conditions; if several match, the first applies
 * @param seed of the random that decides for rules with a share
 */
public record FaultOptions(List<FaultRule> rules, long seed) {
  /** Keeps a copy of the rules. */
  public FaultOptions {
    rules = List.copyOf(rules);
  }

  /**
   * Reads rules that are joined by {@code +}, such as {@code remote-access@3+drop-cqe@1%}.
   *
   * @throws IllegalArgumentException when one of them is not a valid rule
   */
  public static FaultOptions parse(String text, long seed) {
    return new FaultOptions(
        Arrays.stream(text.split("\\+", -1)).map(FaultRule::parse).toList(), seed);
  }

  FaultOptions withSeed(long newSeed) {
    return new FaultOptions(rules, newSeed);
  }

  /** The rules in the syntax of the device's options. */
  @Override
  public String toString() {
    return "fail=%s,seed=%d"
        .formatted(rules.stream().map(FaultRule::toString).collect(Collectors.joining("+")), seed);
  }
}
