package dev.bluebell.softnic;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.softnic.command.Inventory;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.port.Port;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.transport.QueuePair;

/** Brings the port or the whole device down, where options ask for it. */
record Doom(Chip chip, Inventory inventory, Port port) implements Faults.Fate {
  /** mlx5 device.h: MLX5_PORT_CHANGE_SUBTYPE_DOWN. */
  private static final int SUBTYPE_DOWN = 1;

  @Override
  public void portDown(String why) {
    port.setDown(true);
    chip.explanations().add("the port is down: " + why);
    chip.events().raise(HcaEvent.PORT_CHANGE, 0, SUBTYPE_DOWN);
  }

  @Override
  public void die(String why) {
    chip.explanations().add("the device is dead: " + why);
    inventory.queuePairs().all().forEach(QueuePair::die);
    chip.events().raise(HcaEvent.INTERNAL_ERROR, 0, 0);
  }
}
