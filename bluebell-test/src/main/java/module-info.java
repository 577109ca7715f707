/** Tests of RDMA code without a card. */
module dev.bluebell.test {
  requires dev.bluebell.report;
  requires transitive dev.bluebell.softnic;
  requires transitive dev.bluebell.verbs;
  requires transitive org.junit.jupiter.api;
  requires static org.jspecify;

  exports dev.bluebell.test;

  // JUnit creates the extension by reflection.
  opens dev.bluebell.test to
      org.junit.platform.commons;
}
