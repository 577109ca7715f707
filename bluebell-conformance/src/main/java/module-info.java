/** The tests that any device must pass. */
module dev.bluebell.conformance {
  requires transitive dev.bluebell.verbs;
  requires org.assertj.core;
  requires transitive org.junit.jupiter.api;
  requires org.junit.jupiter.params;
  requires static org.jspecify;

  exports dev.bluebell.conformance;

  // JUnit finds and calls the tests by reflection.
  opens dev.bluebell.conformance;
}
