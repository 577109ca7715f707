package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.command.QpCommands.DetachFromMcgIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.port.Multicast;
import dev.bluebell.softnic.transport.QueuePair;

/** ATTACH_TO_MCG, DETACH_FROM_MCG. */
final class MulticastCommands {
  private final Engine engine;
  private final Inventory inventory;

  MulticastCommands(Engine engine, Inventory inventory) {
    this.engine = engine;
    this.inventory = inventory;
  }

  View attach(View in) {
    Gid group = Gid.of(in.getBytes(AttachToMcgIn.MULTICAST_GID));
    requireValid(
        Multicast.isGroup(group),
        "multicast_gid %s is not the GID of a group: ff00::/8, or 224.0.0.0/4 of IPv4",
        group);
    QueuePair queuePair = inventory.queuePair(in.getInt(AttachToMcgIn.QPN));
    if (engine.client() != engine.own()) {
      String noShare = inventory.groups.whyNoShare(group, queuePair);
      require(noShare.isEmpty(), CommandStatus.LIM_ERR, "%s", noShare);
    }
    String why = inventory.groups.attach(group, queuePair);
    requireValid(why.isEmpty(), "%s", why);
    return Firmware.ok();
  }

  View detach(View in) {
    Gid group = Gid.of(in.getBytes(DetachFromMcgIn.MULTICAST_GID));
    QueuePair queuePair = inventory.queuePair(in.getInt(DetachFromMcgIn.QPN));
    requireValid(
        inventory.groups.detach(group, queuePair),
        "QP 0x%x is not attached to the group %s",
        queuePair.number(),
        group);
    return Firmware.ok();
  }
}
