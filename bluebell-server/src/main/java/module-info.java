import dev.bluebell.hca.HcaProvider;
import dev.bluebell.server.remote.SocketProvider;

/** The device process: hosts a device for other processes over a Unix socket. */
module dev.bluebell.server {
  requires transitive dev.bluebell.hca;
  requires static org.jspecify;

  exports dev.bluebell.server;
  exports dev.bluebell.server.remote;

  provides HcaProvider with
      SocketProvider;
}
