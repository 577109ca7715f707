package dev.bluebell.cli.demo;

import org.jspecify.annotations.Nullable;

/**
 * How an exhibit went.
 *
 * @param broken how the mistake was reported
 * @param proof what was checked when the mistake was not made
 * @param complaint what is wrong; null when it failed as reported and worked when fixed
 */
record ExhibitResult(
    Exhibit exhibit, MishapResult broken, String proof, @Nullable String complaint) {

  boolean isRight() {
    return complaint == null;
  }
}
