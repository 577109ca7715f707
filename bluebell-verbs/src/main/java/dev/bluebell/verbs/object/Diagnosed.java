package dev.bluebell.verbs.object;

import java.util.Set;

/** An object that explains why its requests do not complete, on its own or beside other objects. */
public interface Diagnosed {

  /**
   * Returns the explanation in one paragraph.
   *
   * @param told sentences that the reader has seen, which it leaves out; it adds those that it
   *     tells
   */
  String diagnose(Set<String> told);
}
