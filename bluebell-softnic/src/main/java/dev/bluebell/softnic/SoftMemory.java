package dev.bluebell.softnic;

import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MkeyCommands.DestroyMkeyIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.command.Firmware;
import java.util.function.ObjIntConsumer;

/** A registered memory region: the handle that its owner holds. */
final class SoftMemory implements HcaMemory {
  private final SoftNic device;
  private final int key;
  private boolean closed;

  SoftMemory(SoftNic device, int key) {
    this.device = device;
    this.key = key;
  }

  SoftNic device() {
    return device;
  }

  /** Changes the registration, unless it has ended and its key may belong to another. */
  synchronized void reregister(ObjIntConsumer<Firmware> change) {
    if (closed) {
      throw new IllegalStateException("the memory with key 0x%x is closed".formatted(key));
    }
    device.run("reregisterMemory", firmware -> change.accept(firmware, key));
  }

  @Override
  public int lkey() {
    return key;
  }

  @Override
  public int rkey() {
    return key;
  }

  @Override
  public synchronized void close() {
    if (!closed && !device.isClosed()) {
      device.command(
          View.command(DestroyMkeyIn.STRUCTURE, CommandOpcode.DESTROY_MKEY)
              .set(DestroyMkeyIn.MKEY_INDEX, key >>> 8)
              .bytes());
      closed = true;
    }
  }
}
