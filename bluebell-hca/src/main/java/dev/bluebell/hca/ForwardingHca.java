package dev.bluebell.hca;

import dev.bluebell.hca.counter.PortCounter;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;

/**
 * A device that forwards every call to another one: the base of classes that change or watch some
 * calls of a device. As thread-safe as the other device.
 */
public abstract class ForwardingHca implements Hca {
  private final Hca target;

  /**
   * Wraps a device.
   *
   * @param target receives all calls, including {@link #close}
   */
  protected ForwardingHca(Hca target) {
    this.target = target;
  }

  @Override
  public String name() {
    return target.name();
  }

  @Override
  public HcaIdentity identity() {
    return target.identity();
  }

  @Override
  public boolean isSoftware() {
    return target.isSoftware();
  }

  @Override
  public HcaObject create(byte[] command) {
    return target.create(command);
  }

  @Override
  public byte[] execute(byte[] command) {
    return target.execute(command);
  }

  @Override
  public HcaObject allocateProtectionDomain() {
    return target.allocateProtectionDomain();
  }

  @Override
  public HcaUar allocateUar() {
    return target.allocateUar();
  }

  @Override
  public HcaUar allocateBlueFlameUar() {
    return target.allocateBlueFlameUar();
  }

  @Override
  public MemorySegment allocate(long bytes) {
    return target.allocate(bytes);
  }

  @Override
  public HcaObject allocateDeviceMemory(byte[] command, MemorySegment window) {
    return target.allocateDeviceMemory(command, window);
  }

  @Override
  public HcaMemory registerDeviceMemory(
      HcaObject domain, HcaObject memory, long bytes, int access) {
    return target.registerDeviceMemory(domain, memory, bytes, access);
  }

  @Override
  public HcaUmem registerUmem(MemorySegment memory) {
    return target.registerUmem(memory);
  }

  @Override
  public HcaMemory registerMemory(
      HcaObject domain, MemorySegment memory, long address, int access) {
    return target.registerMemory(domain, memory, address, access);
  }

  @Override
  public HcaMemory registerDmaBuf(
      HcaObject domain, int descriptor, long offset, long bytes, int access) {
    return target.registerDmaBuf(domain, descriptor, offset, bytes, access);
  }

  @Override
  public int eventQueueNumber(int vector) {
    return target.eventQueueNumber(vector);
  }

  @Override
  public int completionVectors() {
    return target.completionVectors();
  }

  @Override
  public HcaPath resolve(int port, int gidIndex, Gid destination) {
    return target.resolve(port, gidIndex, destination);
  }

  @Override
  public HcaEventChannel openEventChannel() {
    return target.openEventChannel();
  }

  @Override
  public HcaPort queryPort(int port) {
    return target.queryPort(port);
  }

  @Override
  public Gid queryGid(int port, int index) {
    return target.queryGid(port, index);
  }

  @Override
  public boolean isRoceV2(int port, int index) {
    return target.isRoceV2(port, index);
  }

  @Override
  public Map<PortCounter, Long> counters() {
    return target.counters();
  }

  @Override
  public long clock() {
    return target.clock();
  }

  @Override
  public int progress() {
    return target.progress();
  }

  @Override
  public Optional<HcaDiagnosis> diagnosis() {
    return target.diagnosis();
  }

  @Override
  public Optional<HcaManagement> openManagement() {
    return target.openManagement();
  }

  @Override
  public Optional<HcaConnectionManager> openConnectionManager() {
    return target.openConnectionManager();
  }

  @Override
  public Optional<HcaHosting> hosting() {
    return target.hosting();
  }

  @Override
  public long handOver(String name, String notice) throws HcaException {
    return target.handOver(name, notice);
  }

  @Override
  public Optional<HcaResidents> residents() {
    return target.residents();
  }

  @Override
  public void close() {
    target.close();
  }
}
