package dev.bluebell.server.remote;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.DeviceMemory;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** One client of a shared device, with a queue pair and memory. For the test's thread. */
final class Peer implements AutoCloseable {
  static final int BYTES = 1 << 16;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  /** The kind of payload memory. */
  enum Payload {
    /** Allocated by the driver, so shared with the device process. */
    SHARED,
    /** Allocated elsewhere; the device process copies it. */
    FOREIGN
  }

  private final Device device;
  private final ProtectionDomain domain;
  private final MemoryRegion memory;
  private final CompletionQueue completions;
  private final RcQueuePair queuePair;

  Peer(String name, Payload payload) {
    this(Device.open(name), payload);
  }

  Peer(Device device, Payload payload) {
    this.device = device;
    domain = device.allocateProtectionDomain();
    memory =
        payload == Payload.SHARED
            ? domain.allocate(BYTES, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ)
            : domain.register(
                Arena.ofAuto().allocate(BYTES, 64), LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ);
    completions = device.createCompletionQueue(64);
    queuePair = domain.rcQueuePair(completions).create();
  }

  /**
   * @param payload memory that the device process copies
   */
  Peer(Device device, MemorySegment payload) {
    this.device = device;
    domain = device.allocateProtectionDomain();
    memory = domain.register(payload, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ);
    completions = device.createCompletionQueue(64);
    queuePair = domain.rcQueuePair(completions).create();
  }

  /** Two peers of one host that are connected. */
  static void connect(Peer left, Peer right) {
    left.queuePair.connect(right.queuePair.endpoint());
    right.queuePair.connect(left.queuePair.endpoint());
  }

  Device device() {
    return device;
  }

  MemoryRegion memory() {
    return memory;
  }

  CompletionQueue completions() {
    return completions;
  }

  RcQueuePair queuePair() {
    return queuePair;
  }

  /** Registers device memory for remote writes. */
  MemoryRegion register(DeviceMemory of) {
    return domain.register(of, LOCAL_WRITE, REMOTE_WRITE);
  }

  /** Fills the memory with bytes derived from a seed. */
  void fill(long seed) {
    byte[] bytes = new byte[BYTES];
    new Random(seed).nextBytes(bytes);
    memory.segment().copyFrom(MemorySegment.ofArray(bytes));
  }

  byte[] bytes(long offset, int count) {
    return memory.segment().asSlice(offset, count).toArray(ValueLayout.JAVA_BYTE);
  }

  /** WRITEs the first bytes of this peer's memory to an address and key. */
  void write(long address, int rkey, int bytes) {
    write(0, address, rkey, bytes);
  }

  /** WRITEs bytes of this peer's memory, from an offset on. */
  void write(long offset, long address, int rkey, int bytes) {
    queuePair
        .write(address, rkey)
        .gather(memory.address() + offset, bytes, memory.lkey())
        .signaled(1);
    queuePair.ringDoorbell();
  }

  void awaitSuccess() {
    assertThat(await()).isEqualTo(CompletionStatus.SUCCESS);
  }

  /** The status of the next completion. */
  CompletionStatus await() {
    return await(completions);
  }

  /** The status of the next completion of a completion queue. */
  static CompletionStatus await(CompletionQueue completions) {
    CompletionStatus[] status = new CompletionStatus[1];
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (completions.poll(completion -> status[0] = completion.status(), 1) == 0) {
      assertThat(System.nanoTime()).as("a completion within 60 s").isLessThan(deadline);
      Thread.onSpinWait();
    }
    return status[0];
  }

  /** Moves data to and from another peer, and checks each byte. */
  void exchange(Peer other, long seed) {
    int count = 5000;
    fill(seed);
    other.fill(~seed);
    byte[] mine = bytes(0, count);
    write(other.memory.address() + 101, other.memory.rkey(), count);
    awaitSuccess();
    assertThat(other.bytes(101, count)).isEqualTo(mine);

    other
        .queuePair
        .receive()
        .scatter(other.memory.address() + 20000, count, other.memory.lkey())
        .post(7);
    other.queuePair.ringReceiveDoorbell();
    queuePair.send().gather(memory.address(), count, memory.lkey()).signaled(2);
    queuePair.ringDoorbell();
    other.awaitSuccess();
    awaitSuccess();
    assertThat(other.bytes(20000, count)).isEqualTo(mine);

    byte[] theirs = other.bytes(40000, count);
    queuePair
        .read(other.memory.address() + 40000, other.memory.rkey())
        .scatter(memory.address() + 30000, count, memory.lkey())
        .signaled(3);
    queuePair.ringDoorbell();
    awaitSuccess();
    assertThat(bytes(30000, count)).isEqualTo(theirs);
  }

  @Override
  public void close() {
    device.close();
  }
}
