package dev.bluebell.verbs.device;

import static java.util.Objects.requireNonNull;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.DcInitiatorBuilder;
import dev.bluebell.verbs.DcStreamInitiatorBuilder;
import dev.bluebell.verbs.DcTargetBuilder;
import dev.bluebell.verbs.DeviceMemory;
import dev.bluebell.verbs.IndirectRegion;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.MemoryWindow;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePairBuilder;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.SharedReceiveQueueBuilder;
import dev.bluebell.verbs.StridingReceiveQueue;
import dev.bluebell.verbs.StridingReceiveQueueBuilder;
import dev.bluebell.verbs.TagMatchingReceiveQueueBuilder;
import dev.bluebell.verbs.UcQueuePairBuilder;
import dev.bluebell.verbs.UdQueuePairBuilder;
import dev.bluebell.verbs.WindowType;
import dev.bluebell.verbs.XrcDomain;
import dev.bluebell.verbs.XrcInitiatorBuilder;
import dev.bluebell.verbs.XrcSharedReceiveQueueBuilder;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.dynamic.DcInitiatorBuilderImpl;
import dev.bluebell.verbs.dynamic.DcStreamInitiatorBuilderImpl;
import dev.bluebell.verbs.dynamic.DcTargetBuilderImpl;
import dev.bluebell.verbs.memory.DeviceMemoryImpl;
import dev.bluebell.verbs.memory.IndirectRegionImpl;
import dev.bluebell.verbs.memory.MemoryWindowImpl;
import dev.bluebell.verbs.memory.Registration;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.pair.RcQueuePairBuilderImpl;
import dev.bluebell.verbs.pair.UcQueuePairBuilderImpl;
import dev.bluebell.verbs.pair.UdQueuePairBuilderImpl;
import dev.bluebell.verbs.receive.SharedReceiveQueueBuilderImpl;
import dev.bluebell.verbs.receive.SharedSource;
import dev.bluebell.verbs.receive.StridingReceiveQueueBuilderImpl;
import dev.bluebell.verbs.tag.TagMatchingReceiveQueueBuilderImpl;
import dev.bluebell.verbs.xrc.XrcDomainImpl;
import dev.bluebell.verbs.xrc.XrcInitiatorBuilderImpl;
import dev.bluebell.verbs.xrc.XrcSharedReceiveQueueBuilderImpl;
import java.lang.foreign.MemorySegment;

/** Implements {@link ProtectionDomain}: creates the objects of a {@link Domain}. */
public final class ProtectionDomainImpl extends Domain implements ProtectionDomain {
  public ProtectionDomainImpl(DeviceContext device) {
    super(device);
  }

  @Override
  public MemoryRegion allocate(long bytes, Access... access) {
    return Registration.allocate(this, bytes, access);
  }

  @Override
  public MemoryRegion register(MemorySegment memory, Access... access) {
    return Registration.register(this, memory, access);
  }

  @Override
  public MemoryRegion register(DeviceMemory memory, Access... access) {
    return Registration.register(
        this, (DeviceMemoryImpl) requireNonNull(memory, "the device memory is null"), access);
  }

  @Override
  public MemoryRegion registerDmaBuf(int descriptor, long offset, long bytes, Access... access) {
    return Registration.registerDmaBuf(this, descriptor, offset, bytes, access);
  }

  @Override
  public MemoryWindow allocateWindow(WindowType type) {
    return MemoryWindowImpl.allocate(this, requireNonNull(type, "the type is null"));
  }

  @Override
  public IndirectRegion allocateIndirect(int pieces) {
    return IndirectRegionImpl.allocate(this, pieces);
  }

  @Override
  public RcQueuePairBuilder rcQueuePair(CompletionQueue completions) {
    return new RcQueuePairBuilderImpl(this, queue(completions));
  }

  @Override
  public UcQueuePairBuilder ucQueuePair(CompletionQueue completions) {
    return new UcQueuePairBuilderImpl(this, queue(completions));
  }

  @Override
  public UdQueuePairBuilder udQueuePair(CompletionQueue completions) {
    return new UdQueuePairBuilderImpl(this, queue(completions));
  }

  @Override
  public SharedReceiveQueueBuilder sharedReceiveQueue() {
    return new SharedReceiveQueueBuilderImpl(this);
  }

  @Override
  public StridingReceiveQueueBuilder stridingReceiveQueue() {
    return new StridingReceiveQueueBuilderImpl(this);
  }

  @Override
  public TagMatchingReceiveQueueBuilder tagMatchingReceiveQueue(CompletionQueue completions) {
    return new TagMatchingReceiveQueueBuilderImpl(this, queue(completions));
  }

  @Override
  public DcInitiatorBuilder dcInitiator(CompletionQueue completions) {
    return new DcInitiatorBuilderImpl(this, queue(completions));
  }

  @Override
  public DcStreamInitiatorBuilder dcStreamInitiator(CompletionQueue completions, int streams) {
    return new DcStreamInitiatorBuilderImpl(this, queue(completions), streams);
  }

  @Override
  public DcTargetBuilder dcTarget(CompletionQueue completions, SharedReceiveQueue receives) {
    return new DcTargetBuilderImpl(this, queue(completions), SharedSource.of(receives));
  }

  @Override
  public DcTargetBuilder dcTarget(CompletionQueue completions, StridingReceiveQueue receives) {
    return new DcTargetBuilderImpl(this, queue(completions), SharedSource.of(receives));
  }

  @Override
  public XrcInitiatorBuilder xrcInitiator(CompletionQueue completions) {
    return new XrcInitiatorBuilderImpl(this, queue(completions));
  }

  @Override
  public XrcSharedReceiveQueueBuilder xrcSharedReceiveQueue(
      XrcDomain xrcDomain, CompletionQueue completions) {
    return new XrcSharedReceiveQueueBuilderImpl(
        this,
        (XrcDomainImpl) requireNonNull(xrcDomain, "the XRC domain is null"),
        queue(completions));
  }

  private static CompletionQueueImpl queue(CompletionQueue completions) {
    return (CompletionQueueImpl) requireNonNull(completions, "the completion queue is null");
  }
}
