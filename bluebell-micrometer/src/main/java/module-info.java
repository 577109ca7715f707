/** Counters of RDMA devices as metrics of Micrometer. */
// Micrometer has a module name but no module descriptor.
@SuppressWarnings("requires-transitive-automatic")
module dev.bluebell.micrometer {
  requires dev.bluebell.hca;
  requires transitive dev.bluebell.verbs;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports dev.bluebell.micrometer;
}
