/** Programs that run on the NIC: their language, its compiler, and the bytes that it makes. */
module dev.bluebell.program {
  requires transitive dev.bluebell.hca;
  requires transitive dev.bluebell.verbs;
  requires static org.jspecify;

  exports dev.bluebell.program;
  exports dev.bluebell.program.compile;
  exports dev.bluebell.program.image;
  exports dev.bluebell.program.install;
  exports dev.bluebell.program.offload;
  exports dev.bluebell.program.plan;
}
