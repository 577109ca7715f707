package dev.bluebell.cli.program;

import java.util.ArrayList;
import java.util.List;

/** Counts calls of a program, and keeps the first few complaints. */
final class Tally {
  private static final int MAX_COMPLAINTS = 5;

  private final List<String> complaints = new ArrayList<>();
  private int right;
  private int answers;
  private int wqes;

  /** Counts a finished call. */
  void add(long seed, ComparedCall call) {
    answers += call.answers();
    wqes += call.wqes();
    String complaint = call.complaint();
    if (complaint == null) {
      right++;
    } else if (complaints.size() < MAX_COMPLAINTS) {
      complaints.add("seed %d: %s".formatted(seed, complaint));
    }
  }

  int right() {
    return right;
  }

  int answers() {
    return answers;
  }

  int wqes() {
    return wqes;
  }

  List<String> complaints() {
    return complaints;
  }
}
