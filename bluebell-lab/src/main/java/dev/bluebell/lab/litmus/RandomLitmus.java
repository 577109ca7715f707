package dev.bluebell.lab.litmus;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Random litmus tests: two or three threads on two nodes, two to four actions each. */
final class RandomLitmus {
  private static final String LETTERS = "xy";

  private final Random random;
  private int values;
  private char register = 'a';

  private RandomLitmus(long seed) {
    random = new Random(seed);
  }

  /** The test for a seed. */
  static Litmus of(long seed) {
    return new RandomLitmus(seed).draw("random %d".formatted(seed));
  }

  private Litmus draw(String name) {
    StringBuilder text =
        new StringBuilder("%s%nA random program.%ninit: x1=7 y2=8%n".formatted(name));
    TreeSet<String> seen = new TreeSet<>(List.of("x1", "x2", "y1", "y2"));
    int threads = 2 + random.nextInt(2);
    for (int i = 0; i < threads; i++) {
      int node = 1 + i % 2;
      List<String> actions = new ArrayList<>();
      int count = 2 + random.nextInt(threads == 2 ? 3 : 1);
      int posted = 0;
      while (actions.size() < count) {
        String action = action(node, posted);
        posted += action.contains("<-") ? 1 : action.startsWith("poll") ? -1 : 0;
        actions.add(action);
      }
      text.append("%d: %s%n".formatted(node, String.join("; ", actions)));
    }
    for (char each = 'a'; each < register; each++) {
      seen.add(String.valueOf(each));
    }
    text.append("see: %s%n".formatted(String.join(" ", seen)));
    return Litmus.parse(text.toString()).getFirst();
  }

  private String action(int node, int posted) {
    int other = 3 - node;
    return switch (random.nextInt(11)) {
      case 0, 1 -> "%s=%d".formatted(at(node), ++values);
      case 2 -> "%s=%s".formatted(register++, at(node));
      case 3, 4 -> "%s<-%s".formatted(at(other), at(node));
      case 5, 6 -> "%s<-%s".formatted(at(node), at(other));
      case 7 -> "%s<-add %s 10".formatted(at(node), at(other));
      case 8 -> "fence %d".formatted(other);
      case 9 -> "mfence";
      default -> posted > 0 ? "poll %d".formatted(other) : "%s=%s".formatted(register++, at(node));
    };
  }

  private String at(int node) {
    return LETTERS.charAt(random.nextInt(LETTERS.length())) + "" + node;
  }
}
