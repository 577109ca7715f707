package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.IndirectRegion;
import dev.bluebell.verbs.ListPieces;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.WindowRights;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of cards that a client may break unnoticed on a more tolerant device. */
@Conformance
class CardRulesTest {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  private static final int PART = 16;
  private static final int PSNS = 1 << 24;

  private static final int PAGE_BYTES = 4096;
  private static final int TAG = 0x5a;

  // ---- receive lists

  /** Sends more than a receive with one entry holds; its list terminator has an address. */
  private static Done overflow(Bench bench, long address) {
    Ends ends = bench.ends().right(plan -> plan.maxScatter(4)).connect();
    Buffer source = ends.left().buffer(2 * PART).fill(1);
    Buffer target = ends.right().buffer(PART);
    RcQueuePair receiver = ends.right().queuePair();
    receiver.receive().scatter(target.address(0), PART, target.lkey()).post(2);
    MemorySegment list = bench.hca().dataSegment(target.lkey(), target.address(0));
    assertThat(list.get(WORD, DataSegment.BYTES))
        .isEqualTo(DataSegment.first(0, DataSegment.INVALID_LKEY));
    assertThat(list.get(WORD, DataSegment.BYTES + Long.BYTES)).isZero();
    list.set(WORD, DataSegment.BYTES + Long.BYTES, address);
    receiver.ringReceiveDoorbell();
    ends.left().send(source, 0, 2 * PART, 1);
    assertThat(ends.left().awaitOne().isSuccess()).isFalse();
    return ends.right().awaitOne();
  }

  @Test
  @ExpectsRefusal
  void aReceiveListEndsWhereKeyLengthAndAddressSaySo(Bench bench) {
    overflow(bench, 0).require(2, CompletionStatus.LOCAL_LENGTH_ERROR);
  }

  @Test
  @ExpectsRefusal
  void aReceiveListDoesNotEndAtItsKeyAlone(Bench bench) {
    // An entry of 2 GiB with an invalid key.
    overflow(bench, 1).require(2, CompletionStatus.LOCAL_PROTECTION_ERROR);
  }

  // ---- doorbells

  @Test
  void aDoorbellRecordAloneStartsNothingEvenOnABusyQueuePair(Bench bench) {
    bench.hca().buildInRings();
    Ends ends = bench.connected();
    RcQueuePair forgetful = ends.left().queuePair();
    Buffer source = ends.right().buffer(8);
    Buffer target = ends.left().buffer(8);
    forgetful.nop().signaled(1);
    forgetful.ringDoorbell();
    ends.left().awaitSuccess(1);

    forgetful.nop().signaled(2);
    bench.hca().countPosted(forgetful.number(), 2);
    for (int i = 0; i < 20; i++) {
      ends.right().write(source, 0, 8, target, 0, i);
      ends.right().awaitSuccess(i);
    }
    bench.expectCalm(ends.left().completions());
    forgetful.ringDoorbell();
    ends.left().awaitSuccess(2);
  }

  // ---- packets

  @ParameterizedTest
  @CsvSource({"512, 256", "256, 512"})
  @ExpectsRefusal
  void packetsOfAnotherPathMtuAreRefused(int requester, int responder, Bench bench) {
    Ends ends =
        bench
            .ends()
            .leftOptions(options -> options.withPathMtu(requester))
            .rightOptions(options -> options.withPathMtu(responder))
            .connect();
    Buffer source = ends.left().buffer(2048).fill(1);
    Buffer target = ends.right().buffer(2048);
    ends.left().write(source, 0, 256, target, 0, 1);
    ends.left().awaitSuccess(1);
    ends.left().write(source, 0, 2048, target, 0, 2);
    ends.left().awaitOne(2, CompletionStatus.REMOTE_INVALID_REQUEST);
  }

  @Test
  void noMoreThanHalfOfAllPsnsAreOutstanding(Bench bench) {
    // The peer is not connected, so it does not answer.
    Ends ends = bench.ends().create();
    IndirectRegion gigabyte = oftenTheSame(ends.left());
    RcQueuePair reader = ends.left().queuePair();
    int first = reader.endpoint().psn();
    reader.connect(
        ends.right().queuePair().endpoint(),
        ConnectOptions.DEFAULT.withPathMtu(256).withTimeout(0));
    for (int i = 0; i < 3; i++) {
      // 2^22 packets.
      reader.read(0, 0).scatter(0, 1 << 30, gigabyte.lkey()).signaled(i);
    }
    reader.ringDoorbell();
    bench.until(() -> reader.query().sendPsn() != first, () -> "the first READ");
    bench.expectCalm(ends.left().completions());
    assertThat(reader.query().sendPsn() - first & PSNS - 1).isBetween(PSNS / 4, PSNS / 2);
  }

  /** A region of 1 GiB that maps the same memory 32 times. */
  private static IndirectRegion oftenTheSame(End end) {
    int pieces = 32;
    long bytes = (1L << 30) / pieces;
    Buffer memory = end.buffer(bytes);
    RcQueuePair owner = Bench.toItself(end.domain().rcQueuePair(end.completions()).create());
    IndirectRegion region = end.domain().allocateIndirect(pieces);
    ListPieces list =
        owner
            .layoutList(region, WindowRights.of(Access.LOCAL_WRITE))
            .piece(memory.region(), 0, bytes);
    for (int i = 1; i < pieces; i++) {
      list = list.piece(memory.region(), 0, bytes);
    }
    list.signaled(0);
    owner.ringDoorbell();
    end.awaitSuccess(0);
    return region;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0x0bad_cafe})
  void nothingArrivesAtAnotherMac(int mac, Bench bench) {
    bench.assumeLinkLayer(LinkLayer.ETHERNET);
    Ends ends = mistaken(bench, qpc -> qpc.at(Qpc.PRIMARY_ADDRESS_PATH).set(Ads.RMAC_31_0, mac));
    expectNothingArrives(ends, "destination MAC", "%08x".formatted(mac));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0xbabe})
  void nothingArrivesAtAnotherLid(int lid, Bench bench) {
    bench.assumeLinkLayer(LinkLayer.INFINIBAND);
    Ends ends = mistaken(bench, qpc -> qpc.at(Qpc.PRIMARY_ADDRESS_PATH).set(Ads.RLID, lid));
    expectNothingArrives(ends, "destination LID", "rlid");
  }

  private static void expectNothingArrives(Ends ends, Object... explained) {
    Buffer source = ends.left().buffer(8).fill(1);
    Buffer target = ends.right().buffer(8);
    ends.left().write(source, 0, 8, target, 0, 1);
    ends.left().awaitOne(1, CompletionStatus.RETRY_EXCEEDED, explained);
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void aMessageIsNoLongerThanLogMsgMaxAllows(Bench bench) {
    Ends ends = mistaken(bench, qpc -> qpc.set(Qpc.LOG_MSG_MAX, 0));
    Buffer source = ends.left().buffer(8).fill(1);
    Buffer target = ends.right().buffer(8);
    ends.left().write(source, 0, 1, target, 0, 1);
    ends.left().awaitSuccess(1);
    ends.left().write(source, 0, 2, target, 0, 2);
    ends.left().awaitOne(2, CompletionStatus.LOCAL_LENGTH_ERROR, "log_msg_max");
  }

  /** Connects two ends; the left one's context has a mistake from RTR on. */
  private static Ends mistaken(Bench bench, Consumer<View> mistake) {
    EndsBuilder builder = bench.ends();
    Ends ends = builder.create();
    int number = ends.left().queuePair().number();
    bench
        .hca()
        .change(
            CommandOpcode.INIT2RTR_QP,
            command -> {
              if (command.getInt(Init2rtrQpIn.QPN) == number) {
                mistake.accept(command.at(Init2rtrQpIn.QPC));
              }
            });
    UnaryOperator<ConnectOptions> hasty = options -> options.withTimeout(8).withRetryCount(1);
    builder.options(hasty).connect(ends);
    return ends;
  }

  // ---- keys

  /** Writes 8 bytes by a key for one queue pair. */
  private static Done write(Bench bench, Ends ends, int qpn) {
    MemorySegment memory = bench.hca().allocate(PAGE_BYTES);
    HcaUmem umem = bench.hca().registerUmem(memory);
    View command = TamperingHca.keyCommand(ends.right().domain(), umem, memory);
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.RW, true)
        .set(Mkc.QPN, qpn)
        .set(Mkc.MKEY_7_0, TAG);
    HcaObject key = bench.hca().create(command.bytes());
    Buffer source = ends.left().buffer(8).fill(1);
    ends.left()
        .queuePair()
        .write(memory.address(), key.number() << 8 | TAG)
        .gather(source.address(0), 8, source.lkey())
        .signaled(1);
    ends.left().queuePair().ringDoorbell();
    Done done = ends.left().awaitOne();
    key.close();
    umem.close();
    return done;
  }

  @Test
  void aKeyIsForEveryQueuePairOrForTheOneThatItNames(Bench bench) {
    Ends ends = bench.connected();
    write(bench, ends, Mkc.ANY_QPN).requireSuccess(1);
    write(bench, ends, ends.right().queuePair().number()).requireSuccess(1);
  }

  @Test
  @ExpectsRefusal
  void aKeyOfQueuePair0IsForNoOther(Bench bench) {
    write(bench, bench.connected(), 0)
        .require(1, CompletionStatus.REMOTE_ACCESS_ERROR)
        .requireExplained(bench, "is for QP 0x0 alone");
  }
}
