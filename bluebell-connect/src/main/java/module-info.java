/** Connections of queue pairs: listen, accept, reject, connect, disconnect. */
module dev.bluebell.connect {
  requires transitive dev.bluebell.verbs;
  requires static org.jspecify;

  exports dev.bluebell.connect;
}
