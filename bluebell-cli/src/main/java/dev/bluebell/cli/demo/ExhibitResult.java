package dev.bluebell.cli.demo;

import org.jspecify.annotations.Nullable;

/**
 * The result of an exhibit.
 *
 * @param broken report of the mistake
 * @param proof description of the check without the mistake
 * @param complaint what is wrong; null when it failed as reported and worked when fixed
 */
record ExhibitResult(
    Exhibit exhibit, MishapResult broken, String proof, @Nullable String complaint) {

  boolean isRight() {
    return complaint == null;
  }
}
