package dev.bluebell.softnic;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.hca.HcaPrecedence;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.doorbell.Uar;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The hosting interface of the software ConnectX, for a process that runs it for other processes.
 */
final class SoftHosting implements HcaHosting {
  private static final int MAX_QPN = (1 << 24) - 1;

  private final SoftNic nic;
  private final SoftDevice device;

  SoftHosting(SoftNic nic, SoftDevice device) {
    this.nic = nic;
    this.device = device;
  }

  @Override
  public Hca openClient() {
    return nic.openClient();
  }

  @Override
  public HcaUar allocateUar(MemorySegment page) {
    SoftNic.checkNative(page);
    if (page.byteSize() != Uar.PAGE_BYTES || page.address() % Uar.PAGE_BYTES != 0) {
      throw new IllegalArgumentException("a UAR page must be 4096 bytes at a multiple of 4096");
    }
    return new SoftUar(nic, nic.call("allocateUar", firmware -> firmware.allocateUar(page)));
  }

  @Override
  public ShownClock showClock(MemorySegment word) {
    SoftNic.checkNative(word);
    if (word.byteSize() != Long.BYTES || word.address() % Long.BYTES != 0) {
      throw new IllegalArgumentException("a clock needs 8 bytes at a multiple of 8");
    }
    nic.run("showClock", firmware -> device.time.show(word));
    return () -> hideClock(word);
  }

  // Also after the device is closed, because other processes' memory outlives it.
  private void hideClock(MemorySegment word) {
    device.engine.enter();
    try {
      device.time.hide(word);
    } finally {
      device.engine.exit();
    }
  }

  @Override
  public HcaMemory registerMemory(
      HcaObject domain, HcaForeignMemory memory, long from, long length, long address, int access) {
    nic.checkDomain(domain);
    int key =
        nic.call(
            "registerMemory",
            firmware ->
                firmware.registerForeignMemory(
                    domain.number(), memory, from, length, address, access));
    return new SoftMemory(nic, key);
  }

  @Override
  public void reregisterMemory(
      HcaMemory registered,
      HcaObject domain,
      HcaForeignMemory memory,
      long from,
      long length,
      long address,
      int access) {
    nic.checkDomain(domain);
    if (!(registered instanceof SoftMemory soft) || !soft.device().isSame(nic)) {
      throw new IllegalArgumentException("only memory of the same device can be re-registered");
    }
    soft.reregister(
        (firmware, key) ->
            firmware.reregisterForeignMemory(
                key, domain.number(), memory, from, length, address, access));
  }

  @Override
  public HcaUmem registerUmem(HcaForeignMemory memory, long from, long length) {
    return new SoftUmem(
        nic,
        nic.call("registerUmem", firmware -> firmware.registerForeignUmem(memory, from, length)));
  }

  @Override
  public void precede(HcaPrecedence precedence) {
    device.precede(precedence);
  }

  @Override
  public void observe(HcaObserver observer) {
    device.diagnosis.observe(observer);
  }

  @Override
  public void awaitTurn() {
    device.diagnosis.awaitTurn();
  }

  @Override
  public List<String> objects(ObjectFilter filter) {
    return device.diagnosis.objects(filter);
  }

  @Override
  public void trace(int qpn, boolean on) {
    if (qpn < 0 || qpn > MAX_QPN) {
      throw new IllegalArgumentException("0x%x is not a queue pair number".formatted(qpn));
    }
    device.diagnosis.trace(qpn, on);
  }

  @Override
  public List<HcaHappening> happenings(HcaObserver.Filter filter) {
    return device.diagnosis.happenings(filter);
  }
}
