package dev.bluebell.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One side of connections: its device, and the objects that its queue pairs need. */
final class End implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Device device;
  private final CompletionQueue completions;
  private final MemoryRegion memory;
  private final Supplier<RcQueuePair> queuePairs;

  End(Device device) {
    this.device = device;
    ProtectionDomain domain = device.allocateProtectionDomain();
    completions = device.createCompletionQueue(64);
    memory = domain.allocate(4096, Access.rights());
    queuePairs = () -> domain.rcQueuePair(completions).create();
  }

  Device device() {
    return device;
  }

  CompletionQueue completions() {
    return completions;
  }

  MemoryRegion memory() {
    return memory;
  }

  Supplier<RcQueuePair> queuePairs() {
    return queuePairs;
  }

  /** Waits for the next completion, of a request with an id and a status. */
  void expect(long id, CompletionStatus status) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    Completion completion = completions.poll();
    while (completion == null) {
      assertThat(System.nanoTime()).as("a completion within 60 s").isLessThan(deadline);
      Thread.onSpinWait();
      completion = completions.poll();
    }
    assertThat(completion.id()).isEqualTo(id);
    assertThat(completion.status()).isEqualTo(status);
  }

  void expectSuccess(long id) {
    expect(id, CompletionStatus.SUCCESS);
  }

  /** Expects that all queue pairs are closed. */
  void expectNoQueuePairs() {
    assertThat(device.openObjects()).noneMatch(open -> open.object() instanceof RcQueuePair);
  }

  @Override
  public void close() {
    device.close();
  }
}
