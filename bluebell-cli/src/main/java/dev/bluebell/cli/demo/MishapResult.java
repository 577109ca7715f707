package dev.bluebell.cli.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of a mishap.
 *
 * @param wrong wrong bytes, one line each
 * @param findings findings of all sides
 * @param complaint what is wrong with the report; null when it is correct
 */
record MishapResult(
    Mishap mishap, List<String> wrong, List<Finding> findings, @Nullable String complaint) {

  boolean isRight() {
    return complaint == null;
  }
}
