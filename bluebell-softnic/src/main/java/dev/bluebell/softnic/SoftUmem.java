package dev.bluebell.softnic;

import dev.bluebell.hca.HcaUmem;
import dev.bluebell.softnic.translation.Umem;

/** A umem, memory for queues and doorbell records: the handle that its owner holds. */
final class SoftUmem implements HcaUmem {
  private final SoftNic device;
  private final Umem umem;
  private boolean closed;

  SoftUmem(SoftNic device, Umem umem) {
    this.device = device;
    this.umem = umem;
  }

  @Override
  public int number() {
    return umem.number();
  }

  @Override
  public synchronized void close() {
    if (!closed && !device.isClosed()) {
      device.run("close of umem", firmware -> firmware.deregisterUmem(umem));
      closed = true;
    }
  }
}
