package dev.bluebell.hca;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Hosting that forwards every call to another one, like {@link ForwardingHca}. As thread-safe as
 * the other one.
 */
public abstract class ForwardingHosting implements HcaHosting {
  private final HcaHosting target;

  protected ForwardingHosting(HcaHosting target) {
    this.target = target;
  }

  @Override
  public Hca openClient() {
    return target.openClient();
  }

  @Override
  public HcaUar allocateUar(MemorySegment page) {
    return target.allocateUar(page);
  }

  @Override
  public HcaMemory registerMemory(
      HcaObject domain, HcaForeignMemory memory, long from, long length, long address, int access) {
    return target.registerMemory(domain, memory, from, length, address, access);
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
    target.reregisterMemory(registered, domain, memory, from, length, address, access);
  }

  @Override
  public HcaUmem registerUmem(HcaForeignMemory memory, long from, long length) {
    return target.registerUmem(memory, from, length);
  }

  @Override
  public ShownClock showClock(MemorySegment word) {
    return target.showClock(word);
  }

  @Override
  public void precede(HcaPrecedence precedence) {
    target.precede(precedence);
  }

  @Override
  public void observe(HcaObserver observer) {
    target.observe(observer);
  }

  @Override
  public void awaitTurn() {
    target.awaitTurn();
  }

  @Override
  public List<String> objects(ObjectFilter filter) {
    return target.objects(filter);
  }

  @Override
  public void trace(int qpn, boolean on) {
    target.trace(qpn, on);
  }

  @Override
  public List<HcaHappening> happenings(HcaObserver.Filter filter) {
    return target.happenings(filter);
  }
}
