package dev.bluebell.softnic.rig;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All sentences with which devices explained failures in the tests of this JVM so far. */
public final class Heard {
  private static final Set<String> SENTENCES = ConcurrentHashMap.newKeySet();

  private Heard() {}

  public static void add(String sentence) {
    SENTENCES.add(sentence);
  }

  public static void addAll(Collection<String> sentences) {
    SENTENCES.addAll(sentences);
  }

  public static Set<String> sentences() {
    return Set.copyOf(SENTENCES);
  }
}
