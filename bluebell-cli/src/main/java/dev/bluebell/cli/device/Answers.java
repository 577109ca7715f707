package dev.bluebell.cli.device;

import java.util.Map;

/**
 * Numbers that the kernel's side tells programs, by the names of the public headers.
 *
 * @param numbers those that it has; others are 0
 */
record Answers(Map<String, Long> numbers) {
  long number(String name) {
    return numbers.getOrDefault(name, 0L);
  }
}
