package dev.bluebell.softnic;

import dev.bluebell.hca.HcaUar;
import dev.bluebell.softnic.doorbell.UarPage;

/** A UAR page: the handle that its owner holds. */
final class SoftUar implements HcaUar {
  private final SoftNic device;
  private final UarPage page;
  private boolean closed;

  SoftUar(SoftNic device, UarPage page) {
    this.device = device;
    this.page = page;
  }

  @Override
  public int number() {
    return page.number();
  }

  @Override
  public long address() {
    return page.address();
  }

  @Override
  public synchronized void silence() {
    if (!closed && !device.isClosed()) {
      device.run("silenceUar", firmware -> firmware.silenceUar(page));
    }
  }

  @Override
  public synchronized void close() {
    if (!closed && !device.isClosed()) {
      device.run("close of UAR page", firmware -> firmware.deallocateUar(page));
      closed = true;
    }
  }
}
