package dev.bluebell.examples.cookbook;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.PendingRequests;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * Recovers from a failed queue pair: replaces it with a new one, and repeats the requests that did
 * not complete.
 */
final class Recovery implements AutoCloseable {
  private static final int BYTES = Integer.BYTES;

  private final ProtectionDomain domain;
  private final CompletionQueue completions;
  private final RemoteMemory remote;

  /** A value and its place. */
  private record Write(long place, byte[] value) {}

  /** Posted requests that have not completed, by id, in the order of their posting. */
  private final SequencedMap<Long, Write> open = new LinkedHashMap<>();

  private RcQueuePair queuePair;
  private long nextId;
  private boolean failed;

  Recovery(ProtectionDomain domain, CompletionQueue completions, RemoteMemory remote) {
    this.domain = domain;
    this.completions = completions;
    this.remote = remote;
    queuePair = domain.rcQueuePair(completions).create();
  }

  RcQueuePair queuePair() {
    return queuePair;
  }

  /** Writes a value to a place. Writing it twice is harmless. */
  void write(long place, byte[] value) {
    long id = nextId++;
    Write write = new Write(place, value);
    open.put(id, write);
    post(id, write);
  }

  private void post(long id, Write write) {
    queuePair
        .write(remote.slice(write.place() * BYTES, BYTES))
        .inline(write.value(), 0, BYTES)
        .signaled(id);
    queuePair.ringDoorbell();
  }

  /**
   * Takes a completion. The first failure has the cause; the requests after it are only reported as
   * flushed.
   */
  void take(Completion completion) {
    if (completion.isSuccess()) {
      open.remove(completion.id());
    } else {
      failed = true;
    }
  }

  boolean hasFailed() {
    return failed;
  }

  boolean isDone() {
    return open.isEmpty();
  }

  /** Creates a new queue pair. The peer does the same, and then both connect. */
  PendingRequests replace() {
    PendingRequests lost = queuePair.destroy();
    queuePair = domain.rcQueuePair(completions).create();
    failed = false;
    return lost;
  }

  /** Posts the requests that did not complete again, in the same order. */
  void repeat() {
    open.forEach(this::post);
  }

  @Override
  public void close() {
    queuePair.close();
  }

  /**
   * Writes some values although the peer fails halfway; returns the values in memory at the end.
   */
  static int[] run(Device device) {
    try (ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(6 * BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        CompletionQueue completions = device.createCompletionQueue(64);
        Recovery writer = new Recovery(domain, completions, memory.remote())) {
      try (RcQueuePair peer = domain.rcQueuePair(completions).create()) {
        Polling.connect(writer.queuePair(), peer);
        for (int place = 0; place < 6; place++) {
          if (place == 3) {
            peer.toError();
          }
          writer.write(place, new byte[] {(byte) place, 0, 0, 0});
        }
        while (!writer.hasFailed()) {
          completions.poll(writer::take);
        }
      }
      PendingRequests unused = writer.replace();
      try (RcQueuePair peer = domain.rcQueuePair(completions).create()) {
        Polling.connect(writer.queuePair(), peer);
        writer.repeat();
        while (!writer.isDone()) {
          completions.poll(
              completion -> {
                // This example recovers once.
                Polling.requireSuccess(completion);
                writer.take(completion);
              });
        }
      }
      return memory.segment().toArray(ValueLayout.JAVA_INT);
    }
  }
}
