/** Proofs about the order of requests: of NIC programs, and of chains that are written as text. */
module dev.bluebell.verifier {
  requires dev.bluebell.hca;
  requires transitive dev.bluebell.program;
  requires static org.jspecify;

  exports dev.bluebell.verifier;
}
