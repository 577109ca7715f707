package dev.bluebell.connect;

/**
 * As {@link RdmaCmNetworkTest}, on a network that delays packets, and delivers half of them twice.
 */
class RdmaCmDuplicatesTest extends RdmaCmNetworkTest {
  @Override
  String options() {
    return ",duplicate=50%,delay=200,seed=1";
  }
}
