package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.command.XrqCommands.TagMatchingTopologyContext;
import dev.bluebell.hca.command.XrqCommands.Xrqc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.wqe.TagMatchingHeader;
import dev.bluebell.hca.wqe.TagMatchingSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawTagCqe;
import dev.bluebell.softnic.rig.RawXrq;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages to a tag-matching queue, and changes of its list of tags, as raw bytes. */
class TagMatchingTest {
  private static final long TAG = 0x1122334455667788L;
  private static final int EAGER = TagMatchingHeader.EAGER;

  /** Path MTU 256. */
  private static final Settings SHORT_PACKETS = new Settings().mtu(1);

  private Tagged tagged = new Tagged();

  @AfterEach
  void close() {
    tagged.close();
  }

  private void open(Settings settings) {
    tagged.close();
    tagged = new Tagged(false, settings);
  }

  // ---- expected messages

  @Test
  void theMessageOfATagLandsInItsBufferWithoutHeader() {
    int entry = tagged.append(TAG, -1, 64, 128);
    tagged.header(EAGER, TAG);
    RawTagCqe told =
        tagged
            .send(116)
            .getFirst()
            .require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, entry);
    assertThat(told.tag()).isEqualTo(TAG);
    assertThat(told.head()).isEqualTo(0x0300_0000_0000_0000L | Tagged.CONTEXT);
    assertThat(told.plain().byteCount()).isEqualTo(100);
    assertThat(told.plain().userIndex()).isEqualTo(RawXrq.USER_INDEX);
    assertThat(told.plain().qpn()).isEqualTo(tagged.receiver().number());
    assertThat(told.plain().remoteQpn()).isEqualTo(tagged.sender().number());
    assertThat(tagged.target.bytes(64, 100)).isEqualTo(tagged.source.bytes(16, 100));
    assertThat(tagged.target.bytes(164, 28)).containsOnly(0);
    tagged.sender().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(tagged.receiver().receives().poll()).isEmpty();
  }

  @Test
  void theMatchOfALongMessageIsReportedBeforeTheWholeMessageArrived() {
    open(SHORT_PACKETS);
    int entry = tagged.append(TAG, -1, 0, 2000);
    tagged.header(EAGER, TAG);
    List<RawTagCqe> told = tagged.send(1016);
    assertThat(told).hasSize(2);
    RawTagCqe consumed = told.get(0).require(CqeOpcode.NO_PACKET, TagMatchingCqe.CONSUMED, entry);
    assertThat(consumed.tag()).isEqualTo(TAG);
    assertThat(consumed.plain().byteCount()).isZero();
    RawTagCqe expected = told.get(1).require(CqeOpcode.RESP_SEND, TagMatchingCqe.EXPECTED, entry);
    assertThat(expected.tag()).isZero();
    assertThat(expected.head()).isZero();
    assertThat(expected.plain().byteCount()).isEqualTo(1000);
    assertThat(tagged.target.bytes(0, 1000)).isEqualTo(tagged.source.bytes(16, 1000));
  }

  @Test
  void aMessageOfManyTurnsLandsWhole() {
    tagged.close();
    tagged = new Tagged();
    var large = tagged.rig.memory(1 << 21).fill(3);
    var into = tagged.rig.memory(1 << 21);
    large.put(0, Tagged.header(EAGER, 0, TAG));
    int entry = tagged.append(TAG, -1, into.address(0), 1 << 21, into.key());
    List<RawTagCqe> told = tagged.send(Wqe.send().data(large, 0, 1 << 21));
    told.getLast().require(CqeOpcode.RESP_SEND, TagMatchingCqe.EXPECTED, entry);
    int bytes = (1 << 21) - 16;
    assertThat(told.getLast().plain().byteCount()).isEqualTo(bytes);
    assertThat(into.bytes(0, bytes)).isEqualTo(large.bytes(16, bytes));
    into.expectCanaries();
  }

  @Test
  void theHeaderMayLieInPieces() {
    int entry = tagged.append(TAG, -1, 0, 64);
    tagged.header(EAGER, TAG);
    tagged
        .send(
            Wqe.send()
                .data(tagged.source, 0, 5)
                .data(tagged.source, 5, 14)
                .data(tagged.source, 19, 21))
        .getFirst()
        .require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, entry);
    assertThat(tagged.target.bytes(0, 24)).isEqualTo(tagged.source.bytes(16, 24));
  }

  @Test
  void anEmptyMessageFitsAnEmptyBuffer() {
    int entry = tagged.append(TAG, -1, 0, 0, 0x100);
    tagged.header(EAGER, TAG);
    RawTagCqe told = tagged.send(16).getFirst();
    assertThat(told.plain().byteCount()).isZero();
    told.require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, entry);
  }

  @Test
  void anImmediateAndASolicitedEventAreReported() {
    int entry = tagged.append(TAG, -1, 0, 64);
    tagged.header(EAGER, TAG);
    RawTagCqe told =
        tagged
            .send(
                new Wqe(WqeOpcode.SEND_IMM)
                    .immediate(0xabcd)
                    .control(0x0a)
                    .data(tagged.source, 0, 20))
            .getFirst()
            .require(CqeOpcode.RESP_SEND_IMM, TagMatchingCqe.CONSUMED_MSG, entry);
    assertThat(told.plain().immediate()).isEqualTo(0xabcd);
    assertThat(told.plain().solicited()).isTrue();
  }

  @Test
  void aKeyIsInvalidatedByAMessageOfATag() {
    int entry = tagged.append(TAG, -1, 0, 64);
    var memory = tagged.rig.memory(64);
    RawKey key = new RawKey(tagged.rig, memory, context -> context.set(Mkc.EN_RINVAL, true));
    tagged.header(EAGER, TAG);
    RawTagCqe told =
        tagged
            .send(new Wqe(WqeOpcode.SEND_INVAL).immediate(key.key()).data(tagged.source, 0, 20))
            .getFirst()
            .require(CqeOpcode.RESP_SEND_INV, TagMatchingCqe.CONSUMED_MSG, entry);
    assertThat(told.plain().immediate()).isEqualTo(key.key());
    assertThat(key.query().isSet(Mkc.FREE)).isTrue();
  }

  @Test
  void theEarliestEntryThatMatchesUnderItsMaskIsTaken() {
    int exact = tagged.append(5, -1, 0, 64);
    int any = tagged.append(0, 0, 64, 64);
    int low = tagged.append(0xff07, 0xff, 128, 64);
    tagged.header(EAGER, 7);
    tagged.send(20).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, any);
    tagged.send(20).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, low);
    tagged.header(EAGER, 5);
    tagged.send(20).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, exact);
  }

  @Test
  void eightTagsAreAddedAndRemoved() {
    for (int i = 0; i < 8; i++) {
      RawTagCqe added =
          tagged
              .change(RawXrq.append((i + 1) % 8, i, -1).data(tagged.target, 64L * i, 64))
              .require(CqeOpcode.NO_PACKET, TagMatchingCqe.APPEND, 0);
      assertThat(added.isSuccess()).isTrue();
      assertThat(added.plain().userIndex()).isEqualTo(RawXrq.USER_INDEX);
      assertThat(added.plain().qpn()).isEqualTo(tagged.commands.number());
    }
    for (int i = 7; i >= 0; i--) {
      RawTagCqe removed =
          tagged.change(RawXrq.remove(i)).require(CqeOpcode.NO_PACKET, TagMatchingCqe.REMOVE, 0);
      assertThat(removed.isSuccess()).isTrue();
    }
    tagged.receive(0, 64);
    tagged.header(EAGER, 3);
    tagged.send(20).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.UNEXPECTED, 0);
  }

  @Test
  void eightAppendsThatNameTheirOwnEntryAreExecuted() {
    for (int i = 0; i < 8; i++) {
      tagged
          .change(RawXrq.append(i, 0x1000 + i, -1).data(tagged.target, 64L * i, 64))
          .require(CqeOpcode.NO_PACKET, TagMatchingCqe.APPEND, 0);
    }
    // The first and the second APPEND filled entry 0.
    assertThat(tagged.rig.explanation())
        .contains("replaces entry 0", "1 replaced so far", "index of an APPEND names the entry");
    tagged.receive(0, 64);
    tagged.header(EAGER, 0x1000);
    tagged.send(20).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.UNEXPECTED, 0);
    tagged.header(EAGER, 0x1001);
    tagged.send(20).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, 0);
    for (int i = 0; i < 8; i++) {
      RawTagCqe removed =
          tagged.change(RawXrq.remove(i)).require(CqeOpcode.NO_PACKET, TagMatchingCqe.REMOVE, 0);
      assertThat(removed.isSuccess()).as("entry %d", i).isEqualTo(i > 0 && i < 7);
    }
  }

  @Test
  void anEntryThatAMessageTookCantBeRemoved() {
    int entry = tagged.append(TAG, -1, 0, 64);
    tagged.header(EAGER, TAG);
    assertThat(tagged.send(20)).hasSize(1);
    assertThat(tagged.change(RawXrq.remove(entry)).isSuccess()).isFalse();
  }

  @Test
  void aChangeThatAsksForNoCompletionDoesNotComplete() {
    tagged.commands.post(
        RawXrq.change(TagMatchingSegment.APPEND, 0, 1, 0, TAG, -1).data(tagged.target, 0, 64));
    tagged.rig.settle();
    assertThat(RawTagCqe.poll(tagged.xrq.completions())).isEmpty();
    tagged.header(EAGER, TAG);
    tagged.send(20).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, 0);
  }

  @Test
  void aSignalledChangeAlsoCompletesAsARequest() {
    tagged.commands.post(RawXrq.synchronize(0).control(8));
    tagged.rig.settle();
    RawCqe request = tagged.commands.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(request.sendOpcode()).isEqualTo(WqeOpcode.TAG_MATCHING);
  }

  // ---- messages without a matching tag

  @Test
  void anUnexpectedMessageLandsInAReceiveWqeWithItsHeader() {
    tagged.receive(0, 256);
    tagged.header(EAGER, TAG);
    RawTagCqe told =
        tagged.send(116).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.UNEXPECTED, 0);
    assertThat(told.plain().wqeCounter()).isZero();
    assertThat(told.plain().byteCount()).isEqualTo(116);
    assertThat(told.plain().userIndex()).isEqualTo(RawXrq.USER_INDEX);
    assertThat(told.tag()).isZero();
    assertThat(tagged.target.bytes(Tagged.UNTAGGED, 116)).isEqualTo(tagged.source.bytes(0, 116));
    var topology = tagged.xrq.query().at(Xrqc.TAG_MATCHING_TOPOLOGY_CONTEXT);
    assertThat(topology.getInt(TagMatchingTopologyContext.HW_PHASE_CNT)).isEqualTo(1);
    assertThat(topology.getInt(TagMatchingTopologyContext.SW_PHASE_CNT)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {TagMatchingHeader.NO_TAG, TagMatchingHeader.FIN})
  void aMessageWithoutTagTakesNoEntryAndIsNotCounted(int operation) {
    open(SHORT_PACKETS);
    tagged.append(0, 0, 0, 64);
    tagged.receive(0, 1024);
    tagged.header(operation, TAG);
    RawTagCqe told =
        tagged.send(600).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.NO_TAG, 0);
    assertThat(told.plain().byteCount()).isEqualTo(600);
    assertThat(told.tag()).isZero();
    assertThat(tagged.target.bytes(Tagged.UNTAGGED, 600)).isEqualTo(tagged.source.bytes(0, 600));
    assertThat(tagged.change(RawXrq.synchronize(0)).unexpected()).isZero();
  }

  @Test
  void aMessageOfAtMostOneByteNeedsNoHeader() {
    tagged.receive(0, 64);
    tagged.receive(1, 64);
    tagged.header(TagMatchingHeader.NO_TAG, TAG);
    tagged.send(1).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.NO_TAG, 0);
    tagged.send(Wqe.send()).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.NO_TAG, 0);
  }

  @Test
  void anUnexpectedMessageWaitsForAReceiveWqeAndIsCountedOnce() {
    tagged.header(EAGER, TAG);
    assertThat(tagged.send(32)).isEmpty();
    tagged.receive(0, 64);
    tagged.rig.pass(100_000);
    RawTagCqe.pollOne(tagged.xrq.completions())
        .require(CqeOpcode.RESP_SEND, TagMatchingCqe.UNEXPECTED, 0);
    assertThat(tagged.change(RawXrq.synchronize(0)).unexpected()).isEqualTo(1);
  }

  @Test
  void aWriteWithImmediateTakesAReceiveWqeAndHasNoTag() {
    tagged.receive(0, 64);
    RawTagCqe told =
        tagged
            .send(
                new Wqe(WqeOpcode.RDMA_WRITE_IMM)
                    .remote(tagged.target.address(0), tagged.target.key())
                    .data(tagged.source, 0, 32))
            .getFirst();
    assertThat(told.app()).isZero();
    assertThat(told.plain().opcode()).isEqualTo(CqeOpcode.RESP_WR_IMM);
  }

  @Test
  void theLimitOfReceiveWqesIsReported() {
    tagged.rig.subscribe(tagged.xrq.object(), HcaEvent.SRQ_LIMIT);
    tagged.receive(0, 64);
    tagged.receive(1, 64);
    tagged.xrq.object().modify(tagged.xrq.limit(2).bytes());
    tagged.header(EAGER, TAG);
    assertThat(tagged.send(32)).hasSize(1);
    assertThat(tagged.rig.takeEvents())
        .extracting(HcaEvent::type)
        .containsExactly(HcaEvent.SRQ_LIMIT);
  }

  // ---- counters of software and device

  @Test
  void anEntryAppendedAfterAnUnexpectedMessageWaitsUntilSoftwareHandledIt() {
    int before = tagged.append(1, -1, 0, 64);
    for (int i = 0; i < 4; i++) {
      tagged.receive(i, 64);
    }
    tagged.header(EAGER, 2);
    assertThat(tagged.send(32)).hasSize(1);
    RawTagCqe added = tagged.change(RawXrq.append(2, 2, -1).data(tagged.target, 64, 64));
    assertThat(added.isSuccess()).isTrue();
    assertThat(added.unexpected()).isEqualTo(1);
    tagged.send(32).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.UNEXPECTED, 0);
    tagged.header(EAGER, 1);
    tagged.send(32).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, before);
    tagged.header(EAGER, 2);
    assertThat(tagged.change(RawXrq.synchronize(1)).unexpected()).isEqualTo(2);
    tagged.send(32).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.UNEXPECTED, 0);
    tagged.change(RawXrq.synchronize(3)).require(CqeOpcode.NO_PACKET, TagMatchingCqe.NOOP, 0);
    tagged.send(32).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, 1);
  }

  @Test
  void anAppendMayCarryTheCount() {
    tagged.receive(0, 64);
    tagged.header(EAGER, TAG);
    assertThat(tagged.send(32)).hasSize(1);
    int flags = TagMatchingSegment.CQE_REQ | TagMatchingSegment.SW_CNT_VALID;
    tagged.change(
        RawXrq.change(TagMatchingSegment.APPEND, flags, 1, 1, TAG, -1).data(tagged.target, 0, 64));
    tagged.send(32).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, 0);
  }

  @Test
  void aCountThatIsNotMarkedAsValidIsNotRead() {
    tagged.receive(0, 64);
    tagged.receive(1, 64);
    tagged.header(EAGER, TAG);
    assertThat(tagged.send(32)).hasSize(1);
    tagged.change(
        RawXrq.change(TagMatchingSegment.APPEND, TagMatchingSegment.CQE_REQ, 1, 1, TAG, -1)
            .data(tagged.target, 0, 64));
    tagged.send(32).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.UNEXPECTED, 0);
  }

  // ---- refusals

  private void expectRefusal(int entry, String... explained) {
    RawCqe failed = tagged.sender().sends().pollOne();
    failed.requireError(failed.syndrome(), 0, (Object[]) explained);
    assertThat(tagged.receiver().state()).isEqualTo(QpState.ERR);
    List<RawTagCqe> told = RawTagCqe.poll(tagged.xrq.completions());
    if (entry >= 0) {
      RawTagCqe cancelled =
          told.getLast()
              .require(CqeOpcode.NO_PACKET, TagMatchingCqe.MSG_COMPLETION_CANCELED, entry);
      assertThat(cancelled.plain().explanation()).contains(explained);
    } else {
      assertThat(told).isEmpty();
    }
    assertThat(tagged.rig.takeEvents())
        .extracting(HcaEvent::type)
        .containsExactly(HcaEvent.WQ_INVALID_REQUEST);
  }

  private void post(Wqe wqe) {
    tagged.sender().post(wqe);
    tagged.rig.settle();
  }

  @Test
  void aMessageThatDoesNotFitItsBufferEndsTheConnection() {
    int entry = tagged.append(TAG, -1, 0, 32);
    tagged.header(EAGER, TAG);
    post(Wqe.send().data(tagged.source, 0, 49));
    expectRefusal(entry, "a message of 33 bytes", "the 32 bytes of entry 0");
    assertThat(tagged.target.bytes(0, 64)).containsOnly(0);
  }

  @Test
  void aLongMessageThatDoesNotFitIsCancelledAfterItsMatchWasReported() {
    open(SHORT_PACKETS);
    int entry = tagged.append(TAG, -1, 0, 32);
    tagged.header(EAGER, TAG);
    post(Wqe.send().data(tagged.source, 0, 1000));
    expectRefusal(entry, "does not fit the 32 bytes of entry 0");
  }

  @Test
  void aBufferThatItsKeyRefusesEndsTheConnection() {
    int entry = tagged.append(TAG, -1, tagged.target.address(0), 64, 0x7700);
    tagged.header(EAGER, TAG);
    post(Wqe.send().data(tagged.source, 0, 32));
    expectRefusal(entry, "lkey 0x7700");
  }

  @Test
  void aKeyThatCantBeInvalidatedEndsTheConnection() {
    int entry = tagged.append(TAG, -1, 0, 64);
    tagged.header(EAGER, TAG);
    tagged.rig.subscribe(tagged.receiver().object(), HcaEvent.WQ_ACCESS_ERROR);
    post(new Wqe(WqeOpcode.SEND_INVAL).immediate(0x7700).data(tagged.source, 0, 32));
    assertThat(tagged.sender().sends().pollOne().isError()).isTrue();
    RawTagCqe.pollOne(tagged.xrq.completions())
        .require(CqeOpcode.NO_PACKET, TagMatchingCqe.MSG_COMPLETION_CANCELED, entry);
  }

  @Test
  void aHeaderThatIsCutOffIsRefused() {
    tagged.header(EAGER, TAG);
    post(Wqe.send().data(tagged.source, 0, 15));
    expectRefusal(-1, "an EAGER message of 15 bytes");
  }

  @Test
  void anUnknownOperationIsRefused() {
    tagged.header(4, TAG);
    post(Wqe.send().data(tagged.source, 0, 32));
    expectRefusal(-1, "opcode 4 of the tag-matching header");
  }

  @Test
  void aRequestForARendezvousNeedsBothHeadersInOnePacket() {
    tagged.header(TagMatchingHeader.RNDV, TAG);
    post(Wqe.send().data(tagged.source, 0, 31));
    expectRefusal(
        -1, "an RNDV message must be one packet with both headers", "31 bytes in 1 packet");
  }

  @Test
  void anUnexpectedMessageThatDoesNotFitItsReceiveWqeFailsThat() {
    tagged.receive(0, 16);
    tagged.header(EAGER, TAG);
    post(Wqe.send().data(tagged.source, 0, 32));
    assertThat(tagged.sender().sends().pollOne().isError()).isTrue();
    tagged
        .xrq
        .completions()
        .pollOne()
        .requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "a message of 32 bytes");
  }

  private void expectBadChange(RawQp qp, Wqe wqe, String... explained) {
    int at = qp.post(wqe);
    tagged.rig.settle();
    qp.sends().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, at, (Object[]) explained);
    assertThat(RawTagCqe.poll(tagged.xrq.completions())).isEmpty();
  }

  @Test
  void anUnknownChangeIsRefused() {
    expectBadChange(
        tagged.commands,
        RawXrq.change(3, TagMatchingSegment.CQE_REQ, 0, 0, 0, 0),
        "opcode 3 of the tag-matching segment");
  }

  @Test
  void anAppendWithoutBufferIsRefused() {
    expectBadChange(tagged.commands, RawXrq.append(1, TAG, -1), "exactly one data segment", "ds 4");
  }

  @Test
  void anAppendOfInlineDataIsRefused() {
    expectBadChange(
        tagged.commands, RawXrq.append(1, TAG, -1).inline(new byte[8]), "without inline data");
  }

  @Test
  void anAppendBeyondTheListIsRefused() {
    expectBadChange(
        tagged.commands,
        RawXrq.append(8, TAG, -1).data(tagged.target, 0, 64),
        "index 8",
        "not one of the 8");
  }

  @Test
  void withStrictAnAppendOfAnEntryInTheListIsRefused() {
    tagged.close();
    tagged =
        new Tagged(
            Rigs.open(options -> options.withStrict().withStrictDoorbells(false)),
            false,
            new Settings());
    tagged.change(RawXrq.append(0, TAG, -1).data(tagged.target, 0, 64));
    expectBadChange(
        tagged.commands,
        RawXrq.append(1, TAG, -1).data(tagged.target, 0, 64),
        "entry 0",
        "is already in the list of tags");
  }

  @Test
  void aChangeWithoutItsSegmentIsRefused() {
    expectBadChange(tagged.commands, new Wqe(WqeOpcode.TAG_MATCHING), "ds 1 is too small");
  }

  @Test
  void aQueuePairWithoutTagMatchingCannotChangeTags() {
    expectBadChange(
        tagged.sender(), RawXrq.remove(0), "does not receive from a tag-matching queue");
  }

  @Test
  void aChangeWaitsForEarlierRequests() {
    RawQp other = tagged.xrq.qp();
    RawQp quiet = tagged.rig.qp(tagged.rig.cq(4));
    other.connect(quiet.number(), new Settings());
    quiet.connect(other.number(), new Settings());
    other.post(Wqe.send().data(tagged.source, 0, 32));
    other.post(RawXrq.synchronize(5));
    tagged.rig.settle();
    assertThat(RawTagCqe.poll(tagged.xrq.completions())).isEmpty();
    quiet.receive(tagged.target.address(0), 64, tagged.target.key());
    tagged.rig.pass(100_000);
    RawTagCqe.pollOne(tagged.xrq.completions())
        .require(CqeOpcode.NO_PACKET, TagMatchingCqe.NOOP, 0);
  }

  @Test
  void aCompletionQueueThatIsFullEndsTheQueuePairsThatCompleteThere() {
    tagged.append(TAG, -1, 0, 64);
    for (int i = 0; i < 64; i++) {
      tagged.commands.post(RawXrq.synchronize(0));
      tagged.rig.settle();
    }
    tagged.header(EAGER, TAG);
    tagged.sender().post(Wqe.send().data(tagged.source, 0, 32));
    tagged.rig.settle();
    expectOverrun(tagged.receiver());
    tagged.commands.post(RawXrq.synchronize(0));
    tagged.rig.settle();
    expectOverrun(tagged.commands);
  }

  private void expectOverrun(RawQp qp) {
    assertThat(qp.state()).isEqualTo(QpState.ERR);
    int index = qp.post(Wqe.nop());
    tagged.rig.settle();
    qp.sends()
        .poll()
        .getLast()
        .requireError(
            Syndrome.WR_FLUSH_ERR,
            index,
            "its tag-matching CQ 0x%x is overrun".formatted(tagged.xrq.completions().number()));
  }
}
