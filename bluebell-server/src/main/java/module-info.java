/** The device process: hosts a device for other processes over a Unix socket. */
module dev.bluebell.server {
  requires transitive dev.bluebell.hca;

  exports dev.bluebell.server;
}
