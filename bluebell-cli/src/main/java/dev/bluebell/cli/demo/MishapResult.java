package dev.bluebell.cli.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a mishap was reported.
 *
 * @param wrong the bytes that were wrong, one line each
 * @param findings what the sides saw
 * @param complaint what is wrong with the report; null when it is as it must be
 */
record MishapResult(
    Mishap mishap, List<String> wrong, List<Finding> findings, @Nullable String complaint) {

  boolean isRight() {
    return complaint == null;
  }
}
