/** Connections of queue pairs: listen, accept, reject, connect, disconnect. */
module dev.bluebell.connect {
  requires transitive dev.bluebell.verbs;
  requires static org.jspecify;

  exports dev.bluebell.connect;

  uses dev.bluebell.connect.ConnectionsProvider;

  provides dev.bluebell.connect.ConnectionsProvider with
      dev.bluebell.connect.provider.ConnectionsProviderImpl;
}
