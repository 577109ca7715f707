package dev.bluebell.softnic;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.softnic.command.Inventory;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.port.Port;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.transport.QueuePair;

/**
 * Fault injection for the port and the device: brings either down when the options ask for it, and
 * the port up again. On InfiniBand the device then acts as the subnet manager: it gives the port
 * its LID again and asks its users to reregister.
 */
final class Doom extends Work implements Faults.Fate {
  /** The number of the only port. */
  private static final int PORT = 1;

  private final Chip chip;
  private final Inventory inventory;
  private final Port port;
  private final Faults faults;
  private long upAt = Long.MAX_VALUE;

  Doom(Chip chip, Inventory inventory, Port port, Faults faults) {
    this.chip = chip;
    this.inventory = inventory;
    this.port = port;
    this.faults = faults;
  }

  @Override
  public void portDown(String why, long nanos) {
    port.setDown(true);
    chip.explanations().add("the port is down: " + why);
    raise(HcaEvent.PORT_DOWN);
    if (nanos > 0) {
      chip.time().renew();
      upAt = chip.time().now() + nanos;
      chip.scheduler().schedule(this);
    }
  }

  private void raise(int subType) {
    chip.events().raise(HcaEvent.PORT_CHANGE, PORT, subType);
  }

  private void portUp() {
    upAt = Long.MAX_VALUE;
    port.setDown(false);
    faults.mend();
    if (port.linkLayer() == LinkLayer.INFINIBAND) {
      chip.explanations()
          .add(
              "the port is up again, and the subnet manager gave it LID 0x%x"
                  .formatted(port.lid()));
      raise(HcaEvent.PORT_INITIALIZED);
      raise(HcaEvent.PORT_LID);
      raise(HcaEvent.PORT_CLIENT_REREGISTRATION);
    } else {
      chip.explanations().add("the port is up again");
    }
    raise(HcaEvent.PORT_ACTIVE);
  }

  @Override
  public void die(String why) {
    chip.explanations().add("the device is dead: " + why);
    inventory.queuePairs().all().forEach(QueuePair::die);
    chip.events().raise(HcaEvent.INTERNAL_ERROR, 0, 0);
  }

  @Override
  protected long deadline() {
    return upAt;
  }

  @Override
  protected void onTimer() {
    if (chip.time().now() >= upAt) {
      portUp();
    }
  }

  @Override
  protected void abandon(String why) {
    chip.explanations().add(why);
  }
}
