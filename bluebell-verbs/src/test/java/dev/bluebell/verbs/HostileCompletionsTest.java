package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** False completions cause one clear exception or are reported as they are, and do no harm. */
class HostileCompletionsTest {
  private static final int ENTRIES = 64;
  private static final Gid GID = FakeHca.GID;
  private final FakeHca hca = new FakeHca();
  private final Device device;
  private final ProtectionDomain domain;
  private final CompletionQueue completions;
  private final PlayedCompletions played;
  private final MemoryRegion memory;
  private final List<Integer> numbers = new ArrayList<>();

  HostileCompletionsTest() {
    hca.caps
        .set(CmdHcaCap.TAG_MATCHING, true)
        .set(CmdHcaCap.LOG_TAG_MATCHING_LIST_SZ, 10)
        .set(CmdHcaCap.IB_STRIDING_WQ, true)
        .set(CmdHcaCap.EXT_STRIDE_NUM_RANGE, true);
    device = Device.over(hca);
    domain = device.allocateProtectionDomain();
    memory = domain.allocate(4096, Access.rights());
    completions = device.createCompletionQueue(ENTRIES);
    played = new PlayedCompletions(hca);
  }

  @AfterEach
  void close() {
    device.close();
  }

  /** Something of every kind that completes, with requests outstanding. */
  private void everyKind() {
    SharedReceiveQueue shared = domain.sharedReceiveQueue().requests(7).create();
    post(shared);
    RcQueuePair rc =
        Connected.toItself(domain.rcQueuePair(completions).sendQueue(8).receiveQueue(8).create());
    rc.read(memory.remote()).scatter(memory, 0, 16).signaled(1);
    rc.fetchAndAdd(memory.remote(), 1).scatter(memory, 16).signaled(2);
    rc.write(memory.remote()).gather(memory, 0, 16).unsignaled(3);
    rc.nop().signaled(4);
    rc.ringDoorbell();
    rc.receive().scatter(memory, 64, 16).post(5);
    rc.receive().empty().post(6);
    rc.ringReceiveDoorbell();
    numbers.add(rc.number());
    RcQueuePair sharing = domain.rcQueuePair(completions).receiveFrom(shared).create();
    numbers.add(sharing.number());
    UdQueuePair ud = domain.udQueuePair(completions).receiveQueue(4).create();
    ud.receive().scatter(memory, 128, 64).post(7);
    ud.ringReceiveDoorbell();
    numbers.add(ud.number());
    numbers.add(domain.dcTarget(completions, shared).create().number());
    DcStreamInitiator streams = domain.dcStreamInitiator(completions, 4).create();
    DcTargetAddress target = streams.targetAddress(new DcEndpoint(GID, 0x99, 7, 1024));
    for (int i = 0; i < 4; i++) {
      streams.stream(i).target(target).read(memory.remote()).scatter(memory, 0, 8).signaled(i);
    }
    streams.ringDoorbell();
    numbers.add(streams.number());
    TagMatchingReceiveQueue tags =
        domain.tagMatchingReceiveQueue(completions).tags(7).requests(7).create();
    for (int i = 0; i < 3; i++) {
      int unused = tags.add(i, -1).scatter(memory, 256, 16).signaled(20 + i, 30 + i);
      tags.receive().scatter(memory, 512, 64).post(40 + i);
    }
    tags.ringDoorbell();
    tags.ringReceiveDoorbell();
    numbers.add(tags.number());
    everyKindOfStrides();
    RcQueuePair gone = domain.rcQueuePair(completions).receiveFrom(shared).create();
    numbers.add(gone.number());
    gone.close();
  }

  private void everyKindOfStrides() {
    StridingReceiveQueue strides =
        domain.stridingReceiveQueue().requests(3).strides(8).strideBytes(64).create();
    for (int i = 0; i < 3; i++) {
      strides.entry(memory, 2048 + 512L * i, 60 + i).post();
    }
    strides.ringDoorbell();
    numbers.add(domain.rcQueuePair(completions).receiveFrom(strides).create().number());
    numbers.add(domain.dcTarget(completions, strides).create().number());
  }

  private void post(SharedReceiveQueue shared) {
    for (int i = 0; i < 7; i++) {
      shared.receive().scatter(memory, 1024 + 16L * i, 16).post(50 + i);
    }
    shared.ringDoorbell();
  }

  /** Mostly small and known values, sometimes anything. */
  private long[] entry(Random random) {
    long[] words = new long[8];
    for (int i = 0; i < 7; i++) {
      words[i] = random.nextInt(4) == 0 ? random.nextLong() : 0;
    }
    int userIndex = random.nextInt(8) == 0 ? random.nextInt(1 << 24) : random.nextInt(14);
    words[4] = Cqe.uidxImmediateWord(userIndex, random.nextInt());
    int count = random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(80);
    words[5] = TagMatchingCqe.word(random.nextInt(16), small(random), count);
    if (random.nextBoolean()) {
      words[5] = Cqe.BYTE_CNT.place(count);
    }
    int qpn =
        random.nextInt(8) == 0
            ? random.nextInt(1 << 24)
            : numbers.get(random.nextInt(numbers.size()));
    // Now and then a CQE with data inside, or of another form.
    int opOwn = random.nextInt(16) << 4 | (random.nextInt(3) == 0 ? random.nextInt(16) : 0);
    words[7] = Cqe.lastWord(random.nextInt(256), qpn, small(random), opOwn);
    return words;
  }

  private static int small(Random random) {
    return random.nextInt(8) == 0 ? random.nextInt(1 << 16) : random.nextInt(9);
  }

  private static void lookAtAll(Completion completion) {
    assertThat(completion.toString()).isNotEmpty();
    assertThat(completion.explanation()).isNotEmpty();
    assertThat(completion.status()).isNotNull();
    assertThat(completion.opcode()).isNotNull();
    assertThat(completion.source().headerKind()).isNotNull();
    long unused =
        completion.tag()
            + completion.tagContext()
            + completion.byteCount()
            + completion.syndrome()
            + completion.vendorSyndrome();
    assertThat(completion.isTagMatch() || completion.isTagDone() || true).isTrue();
    try {
      assertThat(completion.stride().address()).isPositive();
      assertThat(completion.byteCount())
          .isLessThanOrEqualTo(completion.isSuccess() ? 64 : Integer.MAX_VALUE);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("QP 0x");
    }
    try {
      assertThat(completion.queuePair()).isNotNull();
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("QP 0x");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyCompletionIsReportedOrRefusedInOneSentence(long seed) {
    everyKind();
    Random random = new Random(seed);
    int told = 0;
    int refused = 0;
    for (int round = 0; round < 2000; round++) {
      long[] words = entry(random);
      if (Cqe.opcode(words[7]) == CqeOpcode.INVALID) {
        continue;
      }
      played.write(words);
      try {
        Completion completion = completions.poll();
        if (completion != null) {
          told++;
          lookAtAll(completion);
        }
      } catch (IllegalStateException e) {
        refused++;
        assertThat(e).as("seed %d, round %d", seed, round).hasMessageMatching(".* 0x.*");
      }
    }
    assertThat(told).as("seed %d", seed).isPositive();
    assertThat(refused).as("seed %d", seed).isPositive();
    assertThat(completions.poll()).isNull();
  }

  @Test
  void anUnknownOperationOfATagMatchingQueueIsNamed() {
    everyKind();
    int userIndex = 5;
    long[] words = new long[8];
    words[4] = Cqe.uidxImmediateWord(userIndex, 0);
    words[5] = TagMatchingCqe.word(0x8, 0, 0);
    words[7] = Cqe.lastWord(0, 0x1, 0, Cqe.opOwn(CqeOpcode.NO_PACKET, false, 0));
    played.write(words);
    assertThatIllegalStateException()
        .isThrownBy(completions::poll)
        .withMessageContaining("operation 0x8 of the list of tags of XRQ 0x");
    words[7] = Cqe.lastWord(0, 0x1, 0, Cqe.opOwn(CqeOpcode.REQ, false, 0));
    played.write(words);
    assertThatIllegalStateException()
        .isThrownBy(completions::poll)
        .withMessageContaining("has opcode REQ, and is for XRQ 0x");
    words[7] = Cqe.lastWord(0, 0x1, 0, Cqe.opOwn(CqeOpcode.RESP_SEND, false, 0) | 4);
    played.write(words);
    assertThatIllegalStateException()
        .isThrownBy(completions::poll)
        .withMessageContaining("has format 1, opcode RESP_SEND and operation 0x8 of XRQ 0x");
    words[7] = Cqe.lastWord(0, 0x1, 0, Cqe.opOwn(CqeOpcode.RESP_SEND, false, 0) | 8);
    played.write(words);
    assertThatIllegalStateException()
        .isThrownBy(completions::poll)
        .withMessageContaining("has format 2, which entries of 64 bytes have no room for");
  }
}
