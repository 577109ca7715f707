package dev.bluebell.hca.text;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Suggestions for mistyped names. */
public final class Names {
  private static final int MOST = 20;

  /** A name is a match when at most one in this many characters differs. */
  private static final int ALIKE = 3;

  private Names() {}

  /**
   * Lists names for an error message: all of them in order when they are few, otherwise the most
   * similar ones and the number of others.
   */
  static String alike(String written, List<String> names) {
    List<String> all = names.stream().distinct().toList();
    if (all.size() <= MOST) {
      return String.join(", ", all);
    }
    String clipped = Text.clip(written);
    List<String> nearest =
        all.stream()
            .sorted(Comparator.comparingInt(name -> distance(clipped, name)))
            .limit(MOST)
            .toList();
    return "%s and %d others".formatted(String.join(", ", nearest), all.size() - MOST);
  }

  /** The name that was most probably meant; empty when no name is similar. */
  public static Optional<String> meant(String written, List<String> names) {
    String clipped = Text.clip(written);
    return names.stream()
        .filter(name -> distance(clipped, name) <= Math.max(1, name.length() / ALIKE))
        .min(Comparator.comparingInt(name -> distance(clipped, name)));
  }

  /**
   * Number of insertions, deletions, replacements and swaps of neighbours that turn one text into
   * the other (optimal string alignment).
   */
  private static int distance(String from, String to) {
    int[][] of = new int[from.length() + 1][to.length() + 1];
    Arrays.setAll(of[0], j -> j);
    for (int i = 1; i <= from.length(); i++) {
      of[i][0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = of[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        of[i][j] = Math.min(replaced, 1 + Math.min(of[i - 1][j], of[i][j - 1]));
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          of[i][j] = Math.min(of[i][j], of[i - 2][j - 2] + 1);
        }
      }
    }
    return of[from.length()][to.length()];
  }
}
