package dev.bluebell.uverbs.tree;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.VportCommands.HcaVportContext;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.uverbs.device.GidTypes;
import dev.bluebell.uverbs.session.VportContext;
import java.io.IOException;

/** Writes the sysfs folder of a port. */
final class PortFolder {
  /** {@code ib_verbs.h: IB_PORT_CM_SUP}. */
  private static final int CAPABILITIES = 1 << 16;

  private static final int[] ETHERNET_PARTITIONS = {0xffff};

  private PortFolder() {}

  private static int capabilities(Hca hca) {
    return VportContext.query(hca).getInt(HcaVportContext.CAP_MASK1);
  }

  static void describe(TreeFolder folder, Hca hca, String interfaceName) throws IOException {
    HcaPort port = hca.queryPort(VportContext.PORT);
    boolean infiniBand = port.linkLayer() == LinkLayer.INFINIBAND;
    // The shim serves states and counters at the time of opening; see read_counter in devices.c.
    folder
        .put("state", port.active() ? "4: ACTIVE" : "1: DOWN")
        .put("phys_state", port.active() ? "5: LinkUp" : "3: Disabled")
        .put("rate", "400 Gb/sec (4X NDR)")
        .put("link_layer", port.linkLayer().toString())
        .put("lid", "0x%x".formatted(port.lid()))
        .put("lid_mask_count", Integer.toString(port.lmc()))
        .put("sm_lid", "0x%x".formatted(port.smLid()))
        .put("sm_sl", "0")
        .put("cap_mask", "0x%08x".formatted(infiniBand ? capabilities(hca) : CAPABILITIES));
    int[] keys = infiniBand ? VportContext.partitionKeys(hca) : ETHERNET_PARTITIONS;
    for (int index = 0; index < keys.length; index++) {
      folder.folder("pkeys").put(Integer.toString(index), "0x%04x".formatted(keys[index]));
    }
    for (int index = 0; index < port.gidTableLength(); index++) {
      String name = Integer.toString(index);
      Gid gid = hca.queryGid(VportContext.PORT, index);
      folder.folder("gids").put(name, gid.toString());
      // The kernel refuses reads of an empty entry's files.
      if (!gid.equals(Gid.ZERO)) {
        folder.folder("gid_attrs/types").put(name, GidTypes.name(hca, index));
        if (!infiniBand) {
          folder.folder("gid_attrs/ndevs").put(name, interfaceName);
        }
      }
    }
    for (PortCounter counter : PortCounter.values()) {
      folder.folder(counter.folder()).put(counter.fileName(), "0");
    }
  }
}
