package dev.bluebell.cli.conformance;

/** The outcome of a test. */
enum Outcome {
  PASSED,
  FAILED,
  /** The test does not apply to the device. */
  SKIPPED
}
