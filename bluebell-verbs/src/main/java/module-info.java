/** The driver: devices, protection domains, memory regions, completion queues and queue pairs. */
module dev.bluebell.verbs {
  requires transitive dev.bluebell.hca;
  requires jdk.jfr;
  requires static org.jspecify;

  exports dev.bluebell.verbs;
  exports dev.bluebell.verbs.ring to
      dev.bluebell.benchmarks,
      dev.bluebell.cli;

  uses dev.bluebell.verbs.Driver;

  provides dev.bluebell.verbs.Driver with
      dev.bluebell.verbs.device.DriverImpl;
}
