package dev.bluebell.cli.device;

import java.util.Map;

/**
 * Attributes that the kernel returns to applications, by their names in public headers.
 *
 * @param numbers known attributes; all others are 0
 */
record Answers(Map<String, Long> numbers) {
  long number(String name) {
    return numbers.getOrDefault(name, 0L);
  }
}
