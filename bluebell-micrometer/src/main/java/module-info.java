/** Counters of RDMA devices as metrics of Micrometer. */
// Micrometer has a name for a module and no descriptor.
@SuppressWarnings("requires-transitive-automatic")
module dev.bluebell.micrometer {
  requires dev.bluebell.hca;
  requires transitive dev.bluebell.verbs;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports dev.bluebell.micrometer;
}
