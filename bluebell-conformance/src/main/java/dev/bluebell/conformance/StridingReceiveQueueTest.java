package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.StridingEntry;
import dev.bluebell.verbs.StridingReceiveQueue;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Striding receive queues: each entry takes many messages, in 8 strides of 1024 bytes, the path
 * MTU.
 */
@Conformance
@Needs("ib_striding_wq")
class StridingReceiveQueueTest {
  private static final int TEN_MICROSECONDS = 1;
  private static final int STRIDES = 8;
  private static final int STRIDE = 1024;
  private static final int ENTRY = STRIDES * STRIDE;

  /** A part of a message, copied out of the completion's view. */
  private record Part(
      CompletionStatus status,
      StridingEntry entry,
      int offset,
      int bytes,
      boolean isFirst,
      boolean isLast,
      int immediate,
      boolean solicited,
      String explanation) {

    static Part of(Completion completion) {
      return new Part(
          completion.status(),
          completion.stride().entry(),
          completion.stride().offset(),
          completion.byteCount(),
          completion.stride().isFirst(),
          completion.stride().isLast(),
          completion.hasImmediate() ? completion.immediate() : 0,
          completion.solicited(),
          completion.explanation());
    }

    Part requireSuccess() {
      assertThat(status).as(explanation).isEqualTo(CompletionStatus.SUCCESS);
      return this;
    }
  }

  /** Connections whose right ends receive from one queue. */
  private static final class Hub {
    private final Bench bench;
    private final ProtectionDomain domain;
    private final StridingReceiveQueue receives;
    private final Buffer memory;
    private final List<StridingEntry> entries = new ArrayList<>();
    private final List<Ends> all = new ArrayList<>();

    Hub(Bench bench, int connections, int entries) {
      this.bench = bench;
      domain = bench.domain();
      receives =
          domain.stridingReceiveQueue().requests(7).strides(STRIDES).strideBytes(STRIDE).create();
      memory = new Buffer(domain.allocate((long) entries * ENTRY, Access.LOCAL_WRITE));
      for (int i = 0; i < entries; i++) {
        this.entries.add(receives.entry(memory.region(), (long) i * ENTRY, i));
      }
      for (int i = 0; i < connections; i++) {
        all.add(
            bench
                .ends()
                .right(plan -> plan.receiveFrom(receives))
                .options(
                    o -> o.withPathMtu(STRIDE).withRnrRetry(7).withMinRnrTimer(TEN_MICROSECONDS))
                .connect());
      }
    }

    void post(int entry) {
      entries.get(entry).post();
      receives.ringDoorbell();
    }

    List<Part> await(CompletionQueue completions, int count) {
      return bench.await(completions, count, Part::of);
    }

    List<Part> await(Ends ends, int count) {
      return await(ends.right().completions(), count);
    }

    /** Returns the parts of the next message joined, and reposts entries that become free. */
    byte[] message(Ends ends) {
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      Part part;
      do {
        part = Part.of(bench.awaitView(ends.right().completions())).requireSuccess();
        message.writeBytes(bytes(part));
        if (part.entry().release()) {
          part.entry().post();
          receives.ringDoorbell();
        }
      } while (!part.isLast());
      return message.toByteArray();
    }

    byte[] bytes(Part part) {
      return memory.bytes(part.entry().offset() + part.offset(), part.bytes());
    }
  }

  @Test
  void severalMessagesShareAnEntry(Bench bench) {
    Hub hub = new Hub(bench, 1, 1);
    hub.post(0);
    Ends ends = hub.all.getFirst();
    Buffer source = ends.left().buffer(STRIDE).fill(1);
    for (int i = 0; i < STRIDES; i++) {
      ends.left().send(source, i, 100 * i, i);
      ends.left().awaitSuccess(i);
      Part part = hub.await(ends, 1).getFirst().requireSuccess();
      assertThat(part.isFirst() && part.isLast()).isTrue();
      assertThat(part.offset()).isEqualTo(i * STRIDE);
      assertThat(hub.bytes(part)).isEqualTo(source.bytes(i, 100 * i));
      assertThat(part.entry().release()).isEqualTo(i == STRIDES - 1);
    }
    hub.post(0);
    ends.left().send(source, 0, 5, 9);
    ends.left().awaitSuccess(9);
    assertThat(hub.await(ends, 1).getFirst().requireSuccess().offset()).isZero();
  }

  @Test
  void aMessageOfManyPacketsLiesInOnePieceAndItsLastPacketHasWhatIsBesideItsData(Bench bench) {
    Hub hub = new Hub(bench, 1, 1);
    hub.post(0);
    Ends ends = hub.all.getFirst();
    Buffer source = ends.left().buffer(3 * STRIDE).fill(2);
    ends.left()
        .queuePair()
        .sendImmediate(77)
        .gather(source.region(), 0, 2 * STRIDE + 5)
        .solicited()
        .signaled(1);
    ends.left().complete(1);
    List<Part> parts = hub.await(ends, 3);
    assertThat(parts).extracting(Part::offset).containsExactly(0, STRIDE, 2 * STRIDE);
    assertThat(parts).extracting(Part::bytes).containsExactly(STRIDE, STRIDE, 5);
    assertThat(parts).extracting(Part::isFirst).containsExactly(true, false, false);
    assertThat(parts).extracting(Part::isLast).containsExactly(false, false, true);
    assertThat(parts).extracting(Part::immediate).containsExactly(0, 0, 77);
    assertThat(parts).extracting(Part::solicited).containsExactly(false, false, true);
    assertThat(hub.memory.bytes(0, 2 * STRIDE + 5)).isEqualTo(source.bytes(0, 2 * STRIDE + 5));
  }

  @Test
  void aMessageThatNeedsMoreStridesThanAreLeftContinuesInTheNextEntry(Bench bench) {
    Hub hub = new Hub(bench, 1, 3);
    hub.post(2);
    Ends ends = hub.all.getFirst();
    int bytes = ENTRY + STRIDE + 1;
    Buffer source = ends.left().buffer(bytes).fill(3);
    ends.left().send(source, 0, bytes, 1);
    List<Part> parts = hub.await(ends, STRIDES);
    bench.expectCalm(ends.left().completions());
    hub.post(0);
    ends.left().awaitSuccess(1);
    parts.addAll(hub.await(ends, 2));
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    parts.forEach(part -> message.writeBytes(hub.bytes(part.requireSuccess())));
    assertThat(message.toByteArray()).isEqualTo(source.bytes());
    assertThat(parts.getLast().entry()).isSameAs(hub.entries.getFirst());
    assertThat(parts.getLast().isLast()).isTrue();
  }

  @Test
  void randomMessagesOfManyConnectionsArriveWholeWhileEntriesGoRound(Bench bench) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Hub hub = new Hub(bench, 3, 5);
    for (int i = 0; i < 5; i++) {
      hub.post(i);
    }
    List<Buffer> sources =
        hub.all.stream()
            .map(ends -> ends.left().buffer(3 * STRIDE).fill(random.nextInt()))
            .toList();
    for (int round = 0; round < 60; round++) {
      int[] lengths = new int[3];
      for (int i = 0; i < 3; i++) {
        lengths[i] = random.nextInt(3 * STRIDE + 1);
        hub.all.get(i).left().send(sources.get(i), 0, lengths[i], round);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(hub.message(hub.all.get(i)))
            .as("seed %d, round %d, connection %d", seed, round, i)
            .isEqualTo(sources.get(i).bytes(0, lengths[i]));
        hub.all.get(i).left().awaitSuccess(round);
      }
    }
  }

  @Test
  @Needs("dct")
  void messagesToATargetOfDynamicConnectionsTakeStrides(Bench bench) {
    Hub hub = new Hub(bench, 0, 1);
    hub.post(0);
    CompletionQueue sends = bench.device().createCompletionQueue(16);
    CompletionQueue receives = bench.device().createCompletionQueue(16);
    DcInitiator initiator = hub.domain.dcInitiator(sends).maxInline(64).create();
    int mtu = bench.device().port(1).activeMtu();
    StridingReceiveQueue large =
        hub.domain.stridingReceiveQueue().strides(8).strideBytes(mtu).create();
    Buffer memory = new Buffer(hub.domain.allocate(large.entryBytes(), Access.LOCAL_WRITE));
    large.entry(memory.region(), 0, 4).post();
    large.ringDoorbell();
    var target = initiator.targetAddress(hub.domain.dcTarget(receives, large).create().endpoint());
    for (int i = 0; i < 3; i++) {
      initiator.target(target).send().inline(new byte[] {1, 2, (byte) i}, 0, 3).signaled(i);
    }
    initiator.ringDoorbell();
    List<Part> parts = hub.await(receives, 3);
    for (int i = 0; i < 3; i++) {
      assertThat(parts.get(i).requireSuccess().offset()).isEqualTo(i * mtu);
      assertThat(memory.bytes((long) i * mtu, 3)).containsExactly(1, 2, i);
    }
    assertThat(bench.await(sends, 3)).allMatch(Done::isSuccess);
  }

  @Test
  @ExpectsRefusal
  void aPacketThatIsLongerThanAStrideIsRefusedAndTakesNone(Bench bench) {
    Hub hub = new Hub(bench, 1, 1);
    hub.post(0);
    Ends large =
        bench
            .ends()
            .right(plan -> plan.receiveFrom(hub.receives))
            .options(o -> o.withPathMtu(2 * STRIDE))
            .connect();
    large.left().send(large.left().buffer(ENTRY), 0, STRIDE + 1, 1);
    large
        .left()
        .awaitOne(
            1,
            CompletionStatus.REMOTE_INVALID_REQUEST,
            "1025 bytes does not fit a stride",
            "log_wqe_stride_size");
    Ends ends = hub.all.getFirst();
    ends.left().send(ends.left().buffer(8), 0, 8, 2);
    ends.left().awaitSuccess(2);
    assertThat(hub.await(ends, 1).getFirst().requireSuccess().offset()).isZero();
  }

  @Test
  @ExpectsRefusal
  void aWriteWithImmediateIsRefused(Bench bench) {
    Hub hub = new Hub(bench, 1, 1);
    hub.post(0);
    Ends ends = hub.all.getFirst();
    Buffer target = ends.right().buffer(8);
    ends.left().queuePair().writeImmediate(target.remote(0), 77).signaled(1);
    ends.left().queuePair().ringDoorbell();
    ends.left().awaitOne(1, CompletionStatus.REMOTE_INVALID_REQUEST, "has strides, for SENDs only");
  }

  @Test
  @ExpectsRefusal
  void memoryThatTheKeyDoesNotGrantFailsItsStrideAndLeavesTheOthers(Bench bench) {
    Hub hub = new Hub(bench, 2, 1);
    Buffer readOnly = new Buffer(hub.domain.allocate(ENTRY));
    StridingEntry wrong = hub.receives.entry(readOnly.region(), 0, 9);
    wrong.post();
    hub.post(0);
    Ends first = hub.all.getFirst();
    first.left().send(first.left().buffer(8), 0, 8, 1);
    first.left().awaitOne(1, CompletionStatus.REMOTE_OPERATION_ERROR);
    Part failed = hub.await(first, 1).getFirst();
    assertThat(failed.status()).isEqualTo(CompletionStatus.LOCAL_PROTECTION_ERROR);
    assertThat(failed.entry()).isSameAs(wrong);
    assertThat(wrong.release()).isFalse();
  }

  @Test
  void anErrorFlushesNoStrideAndTheNextConnectionTakesTheNext(Bench bench) {
    Hub hub = new Hub(bench, 2, 1);
    hub.post(0);
    Ends first = hub.all.get(0);
    first.left().send(first.left().buffer(8), 0, 8, 1);
    first.left().awaitSuccess(1);
    hub.await(first, 1).getFirst().requireSuccess();
    first.right().queuePair().toError();
    assertThat(bench.awaitEvent(AsyncEvent.Type.LAST_WQE_REACHED).number())
        .isEqualTo(first.right().queuePair().number());
    bench.expectCalm(first.right().completions());
    Ends second = hub.all.get(1);
    second.left().send(second.left().buffer(8), 0, 8, 2);
    second.left().awaitSuccess(2);
    assertThat(hub.await(second, 1).getFirst().requireSuccess().offset()).isEqualTo(STRIDE);
  }

  @Test
  void stridesOfConnectionsThatWereResetOrClosedCountAsRead(Bench bench) {
    Hub hub = new Hub(bench, 2, 1);
    hub.post(0);
    for (Ends ends : hub.all) {
      Buffer source = ends.left().buffer(4 * STRIDE);
      ends.left().send(source, 0, 4 * STRIDE, 1);
      ends.left().awaitSuccess(1);
    }
    hub.all.get(0).right().queuePair().reset();
    hub.all.get(1).right().queuePair().close();
    bench.expectCalm(hub.all.get(0).right().completions());
    bench.expectCalm(hub.all.get(1).right().completions());
    assertThat(hub.entries.getFirst().isFree()).isTrue();
    assertThat(hub.receives.exactFreeReceives()).isEqualTo(7);
  }

  @Test
  void theLimitCountsEntries(Bench bench) {
    Hub hub = new Hub(bench, 1, 2);
    hub.post(0);
    hub.post(1);
    hub.receives.arm(2);
    Ends ends = hub.all.getFirst();
    Buffer source = ends.left().buffer(8);
    for (int i = 0; i < STRIDES; i++) {
      assertThat(bench.events()).isEmpty();
      ends.left().send(source, 0, 8, i);
      ends.left().awaitSuccess(i);
    }
    assertThat(bench.awaitEvent(AsyncEvent.Type.RECEIVE_LIMIT).number())
        .isEqualTo(hub.receives.number());
  }
}
