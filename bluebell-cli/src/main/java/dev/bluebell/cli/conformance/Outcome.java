package dev.bluebell.cli.conformance;

/** How a test ended. */
enum Outcome {
  PASSED,
  FAILED,
  /** It does not apply to the device. */
  SKIPPED
}
