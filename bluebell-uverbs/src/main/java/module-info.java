/** The kernel's side of uverbs, for unmodified rdma-core clients. */
module dev.bluebell.uverbs {
  requires transitive dev.bluebell.hca;
  requires transitive dev.bluebell.server;
  requires dev.bluebell.roce;
  requires static org.jspecify;

  exports dev.bluebell.uverbs;
}
