package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.Bits128;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.RemoteMemory;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Posting and polling allocate nothing once they are warm. */
class AllocationTest {
  private static final CopyReportMemory REPORT = new CopyReportMemory(0x3000, 11);

  private static final int ROUNDS = 20_000;
  private static final int TRIALS = 20;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final AddressWords DESTINATION =
      AddressWords.roce(1, 2, Gid.ZERO, new HcaPath(3, 0, 4, 5), 6, PathOptions.DEFAULT);

  private static final RemoteMemory REMOTE = new RemoteMemory(0x1000, 7, 64);
  private static final Bits128 WIDE = new Bits128(1, 2);
  private long sum;
  private int received;
  private int sharedEntry;
  private int read;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final SendBench bench = new SendBench(4, 256, false);
  private final SendBench managed = SendBench.managed();
  private int tagChanges;
  private final TagBench tags = new TagBench(3, 4);
  private final CompletionHandler tagHandler =
      completion -> sum += completion.tag() + (completion.isTagDone() ? 1 : 2);
  private final StreamBench streams = new StreamBench(4, 256, false, 4);
  private final SharedBench shared = new SharedBench(3, 5);
  private final TestMemory keyWqes = new TestMemory(64 << 6);
  private final TestMemory keyRegisters = new TestMemory(2048);
  private final SendRing keyRing =
      new SendRing(
          SendRingLayout.of(
              keyWqes.address(),
              6,
              0x41,
              keyRegisters.address(),
              keyRegisters.address() + 1024,
              64));
  private final KeyRequest keys = new KeyRequest(keyRing);
  private final byte[] array = new byte[32];
  private final MemorySegment nativeMemory = new TestMemory(64).segment();
  private final CompletionHandler handler =
      completion -> sum += completion.id() + completion.status().ordinal() + completion.byteCount();

  /**
   * The least of several trials: the first ones are not compiled yet, on a busy machine for long.
   */
  private long bytesAllocatedBy(Runnable work) {
    long thread = Thread.currentThread().threadId();
    long start = System.nanoTime();
    long least = Long.MAX_VALUE;
    for (int trial = 0;
        least > 0 && (trial < TRIALS || System.nanoTime() - start < PATIENCE_NANOS);
        trial++) {
      long before = threads.getThreadAllocatedBytes(thread);
      work.run();
      least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
    }
    return least;
  }

  @Test
  void requestsAndCompletionsAllocateNothing() {
    assertThat(bytesAllocatedBy(this::postAndPoll)).isZero();
    assertThat(sum).isNotZero();
  }

  @Test
  void requestsThatNameRemoteMemoryAllocateNothing() {
    assertThat(bytesAllocatedBy(this::postToRemoteMemory)).isZero();
    assertThat(sum).isNotZero();
  }

  private void postToRemoteMemory() {
    for (int i = 0; i < ROUNDS; i++) {
      bench.send.request().write(REMOTE).gather(0x2000, 32, 9).unsignaled(i);
      int last = bench.send.producerIndex();
      bench.send.request().read(REMOTE).scatter(0x2000, 32, 9).signaled(i);
      bench.send.ringDoorbell();
      bench.complete(last);
      sum += bench.completions.poll(handler, 16);
    }
  }

  @Test
  void askingForRoomAllocatesNothing() {
    assertThat(bytesAllocatedBy(this::fillWhileThereIsRoom)).isZero();
    assertThat(sum).isNotZero();
  }

  private void fillWhileThereIsRoom() {
    for (int i = 0; i < ROUNDS / 100; i++) {
      int last = 0;
      while (bench.send.hasRoom()) {
        last = bench.send.producerIndex();
        bench.send.nop().signaled(i);
      }
      bench.send.ringDoorbell();
      bench.complete(last);
      sum += bench.completions.poll(handler, 16);
    }
  }

  @Test
  void sharedReceivesAllocateNothing() {
    assertThat(bytesAllocatedBy(this::receiveShared)).isZero();
    assertThat(sum).isNotZero();
  }

  @Test
  void changesOfMemoryKeysAllocateNothing() {
    assertThat(bytesAllocatedBy(this::changeKeys)).isZero();
  }

  private void changeKeys() {
    for (int i = 0; i < ROUNDS; i++) {
      keys.bind(0x100, 0x101, true, 0, i).piece(0x1000, 64L, 7).unsignaled(1);
      keys.invalidate(0x101).fence().signaled(2);
      keyRing.ringDoorbell();
      keyRing.retire(keyRing.producerIndex());
      keys.configure(0x200, true, 0).repeat(3).piece(0x1000, 8, 8, 7).signaled(3);
      keyRing.ringDoorbell();
      keyRing.retire(keyRing.producerIndex());
    }
  }

  @Test
  void tagsAllocateNothing() {
    assertThat(bytesAllocatedBy(this::matchTags)).isZero();
    assertThat(sum).isNotZero();
  }

  private void matchTags() {
    for (int i = 0; i < ROUNDS; i++) {
      int handle = tags.tags.add(i, -1).scatter(0x1000, 64, 7).signaled(i, i);
      tags.tags.ringDoorbell();
      tags.changed(TagMatchingCqe.APPEND, tagChanges++ & 0xffff, true, 0);
      tags.match(TagMatchingCqe.CONSUMED_MSG, handle & 0xffff, 8);
      sum += tags.completions.poll(tagHandler, 16) + tags.tags.exactFreeTags();
    }
  }

  @Test
  void requestsThatNameTheirQueueAllocateNothing() {
    assertThat(bytesAllocatedBy(this::postToSharedReceives)).isZero();
    assertThat(sum).isNotZero();
  }

  private void postToSharedReceives() {
    for (int i = 0; i < ROUNDS; i++) {
      bench.send.toSharedReceives(5).send().gather(0x2000, 32, 9).unsignaled(i);
      bench.send.toSharedReceives(5).fetchAndAdd(0x1000, 7, 1).scatter(0x2000, 9).unsignaled(i);
      int last = bench.send.producerIndex();
      bench.send.toSharedReceives(5).write(0x1000, 7).inline(array, 0, 8).signaled(i);
      bench.send.ringDoorbell();
      bench.complete(last);
      bench.completions.poll(handler, 16);
    }
  }

  @Test
  void requestsOnStreamsAllocateNothing() {
    assertThat(bytesAllocatedBy(this::postOnStreams)).isZero();
    assertThat(sum).isNotZero();
  }

  private void postOnStreams() {
    for (int i = 0; i < ROUNDS; i++) {
      int first = streams.bench.send.producerIndex();
      streams.streams.to(DESTINATION, 1).send().gather(0x2000, 32, 9).signaled(i);
      int second = streams.bench.send.producerIndex();
      streams.streams.to(DESTINATION, 2).write(0x1000, 7).gather(0x2000, 32, 9).signaled(i);
      streams.streams.ringDoorbell();
      streams.bench.complete(second);
      streams.bench.complete(first);
      streams.bench.completions.poll(handler, 16);
    }
  }

  private void receiveShared() {
    for (int i = 0; i < ROUNDS; i++) {
      shared.receive.receive().scatter(0x1000, 64, 7).post(i);
      shared.receive.ringDoorbell();
      shared.complete(sharedEntry++ & 7);
      shared.bench.completions.poll(handler, 16);
      sum += shared.receive.exactFreeRequests();
    }
  }

  @Test
  void dataInsideCompletionsIsPutIntoMemoryWithoutAllocation() {
    bench.memory.add(0x1200, nativeMemory.address(), nativeMemory);
    assertThat(bytesAllocatedBy(this::readIntoCompletions)).isZero();
  }

  private void readIntoCompletions() {
    for (int i = 0; i < ROUNDS; i++) {
      int at = bench.send.producerIndex();
      bench.send.request().read(0x1000, 7).scatter(nativeMemory.address(), 32, 0x1200).signaled(i);
      bench.send.ringDoorbell();
      int owner = read++ >>> 4;
      int opOwn = Cqe.opOwn(CqeOpcode.REQ, false, owner) | Cqe.FORMAT_INLINE_32 << 2;
      bench.write(opOwn, WqeOpcode.RDMA_READ, SendBench.QPN, bench.userIndex, at, 0, 0, 32);
      sum += bench.completions.poll(handler, 16);
    }
  }

  @Test
  void managedQueuesAllocateNothing() {
    assertThat(bytesAllocatedBy(this::waitAndEnable)).isZero();
    assertThat(sum).isNotZero();
  }

  private void waitAndEnable() {
    SendRing send = managed.send;
    for (int i = 0; i < ROUNDS; i++) {
      send.waitFor(0x405, i).unsignaled(i);
      send.enableSends(0x1235, i).fence().unsignaled(i);
      send.waitForValue(1, 1, 7, 0x1000, i, -1).unsignaled(i);
      int last = send.producerIndex();
      send.enableReceives(0x1235, i).signaled(i);
      managed.complete(last);
      sum += managed.completions.poll(handler, 16);
    }
  }

  private void postAndPoll() {
    for (int i = 0; i < ROUNDS; i++) {
      bench.send.request().write(0x1000, 7).gather(0x2000, 32, 9).unsignaled(i);
      bench.send.request().sendImmediate(i).inline(array, 0, 32).unsignaled(i);
      bench.send.request().write(0x1000, 7).inline(nativeMemory, 0, 33).fence().unsignaled(i);
      bench
          .send
          .request()
          .read(0x1000, 7)
          .scatter(0x2000, 32, 9)
          .scatter(0x3000, 32, 9)
          .unsignaled(i);
      bench.send.request().compareAndSwap(0x1000, 7, 1, 2).scatter(0x2000, 9).unsignaled(i);
      bench.send.to(DESTINATION).sendImmediate(i).gather(0x2000, 32, 9).unsignaled(i);
      bench.send.to(DESTINATION).write(0x1000, 7).gather(0x2000, 32, 9).unsignaled(i);
      bench
          .send
          .request()
          .maskedCompareAndSwap8(0x1000, 7, 1, 2, 3, 4)
          .scatter(0x2000, 9)
          .unsignaled(i);
      bench
          .send
          .request()
          .maskedFetchAndAdd16(0x1000, 7, WIDE, WIDE)
          .scatter(0x2000, 9)
          .unsignaled(i);
      bench.send.request().copyMemory(0x1000, 7, 0x2000, 9, 32, REPORT).unsignaled(i);
      int last = bench.send.producerIndex();
      bench.send.nop().solicited().signaled(i);
      bench.send.ringDoorbell();
      bench.complete(last);
      bench.receive.receive().scatter(0x1000, 64, 7).post(i);
      bench.receive.ringDoorbell();
      bench.completeReceive(CqeOpcode.RESP_SEND_IMM, received++ & 0xffff);
      bench.completions.poll(handler, 1);
      Completion received = bench.poll();
      sum += received.immediate() + received.source().queuePairNumber();
      sum += received.source().headerKind().ordinal();
      bench.completions.poll(handler, 16);
    }
  }
}
