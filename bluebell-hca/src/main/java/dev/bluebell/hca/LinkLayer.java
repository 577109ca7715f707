package dev.bluebell.hca;

/**
 * Link layer of a port, which determines how its peers are addressed.
 *
 * @see HcaPort#linkLayer
 */
public enum LinkLayer {
  /** RoCE: peers are addressed by GID, and their next hop by an Ethernet address. */
  ETHERNET("Ethernet"),
  /** InfiniBand: peers are addressed by LID, and by GID across routers. */
  INFINIBAND("InfiniBand");

  private final String title;

  LinkLayer(String title) {
    this.title = title;
  }

  /** The name that the kernel and {@code ibv_devinfo} print. */
  @Override
  public String toString() {
    return title;
  }
}
