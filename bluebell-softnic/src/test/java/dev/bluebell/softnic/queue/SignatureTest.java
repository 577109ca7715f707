package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signatures of WQEs are checked only where the queue pair requires them. */
class SignatureTest {
  private static final int UC = 1;
  private static final int UD = 2;

  private final Rig rig = Rigs.open();
  private final RawMemory source = rig.memory(64).fill(8);
  private final RawMemory target = rig.memory(64);

  @AfterEach
  void close() {
    rig.close();
  }

  private RawQp signed(int service) {
    return rig.qp(
        new RawQpPlan(rig.cq(4))
            .service(service)
            .sizes(4, 3, 6)
            .change(qpc -> qpc.set(Qpc.WQ_SIGNATURE, true)));
  }

  private RawPair pair(int service) {
    return RawPair.connect(signed(service), signed(service), new Settings());
  }

  // The signature of these bytes, with 0 in its place.
  private static int complement(byte[] bytes) {
    int sum = 0;
    for (byte each : bytes) {
      sum ^= each;
    }
    return ~sum & 0xff;
  }

  private void send(RawQp qp, Wqe wqe, int spoil) {
    int index = qp.index();
    byte[] bytes = wqe.bytes(index, qp.number());
    qp.write(wqe);
    Memory.putByte(qp.wqebb(index) + 8, (byte) (complement(bytes) ^ spoil));
    qp.writeRecord();
    qp.ring(index);
    rig.settle();
  }

  private void receive(RawQp qp, int counter, int spoil) {
    long at = qp.receiveWqe(counter);
    Memory.putLong(at, 0);
    Memory.putLong(at + 8, 0);
    Memory.putLong(at + 16, DataSegment.first(64, target.key()));
    Memory.putLong(at + 24, target.address(0));
    Memory.putLong(at + 32, DataSegment.first(0, DataSegment.INVALID_LKEY));
    Memory.putLong(at + 40, 0);
    int sum = counter & 0xff ^ counter >>> 8 & 0xff;
    for (int shift = 0; shift < 24; shift += 8) {
      sum ^= qp.number() >>> shift;
    }
    for (int i = 16; i < 32; i++) {
      sum ^= Memory.getByte(at + i);
    }
    Memory.putByte(at + 4, (byte) (~sum ^ spoil));
    qp.writeReceiveRecord(counter + 1);
  }

  @Test
  void rightSignaturesLetAMessagePass() {
    RawPair pair = pair(0);
    for (int i = 0; i < 3; i++) {
      receive(pair.right(), i, 0);
      send(pair.left(), Wqe.send().data(source, 0, 33), 0);
      pair.left().sends().pollOne().require(CqeOpcode.REQ, i);
      pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, i);
    }
    assertThat(target.bytes(0, 33)).isEqualTo(source.bytes(0, 33));
  }

  @Test
  void aWrongSignatureOfASendFailsTheRequest() {
    RawPair pair = pair(0);
    send(pair.left(), Wqe.write(target, 0).data(source, 0, 8), 0x11);
    pair.left().sends().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "for the WQE's bytes");
    assertThat(target.bytes()).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 0x80})
  void aWrongSignatureOfAReceiveFailsBothEnds(int spoil) {
    RawPair pair = pair(0);
    receive(pair.right(), 0, spoil);
    send(pair.left(), Wqe.send().data(source, 0, 8), 0);
    pair.left().sends().pollOne().requireError(Syndrome.REMOTE_OP_ERR, 0, "of the receive WQE");
    RawCqe failed = pair.right().receives().pollOne();
    failed.requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "signature 0x", "of the receive WQE");
    assertThat(failed.vendorSyndrome()).isEqualTo(0xd6);
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void aWriteWithImmediateNeedsTheSignatureToo() {
    RawPair pair = pair(0);
    receive(pair.right(), 0, 1);
    Wqe write =
        new Wqe(WqeOpcode.RDMA_WRITE_IMM).remote(target.address(0), target.key()).immediate(7);
    send(pair.left(), write.data(source, 0, 8), 0);
    pair.right().receives().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 0);
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void theIndexOfAReceiveIsPartOfItsSignature() {
    RawPair pair = pair(0);
    receive(pair.right(), 0, 0);
    receive(pair.right(), 1, 1);
    for (int i = 0; i < 2; i++) {
      send(pair.left(), Wqe.send().data(source, 0, 8), 0);
    }
    pair.right().receives().poll(2).getLast().requireError(Syndrome.LOCAL_QP_OP_ERR, 1);
  }

  @Test
  void anUnreliableReceiverFailsAtAWrongSignature() {
    RawPair pair = pair(UC);
    receive(pair.right(), 0, 1);
    send(pair.left(), Wqe.send().data(source, 0, 8), 0);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    pair.right().receives().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 0);
  }

  @Test
  void aReceiverOfDatagramsFailsAtAWrongSignature() {
    RawQp left = signed(UD);
    RawQp right = signed(UD);
    left.connect(0, new Settings());
    right.connect(0, new Settings());
    receive(right, 0, 1);
    Wqe message =
        Wqe.datagram(
            WqeOpcode.SEND,
            right.number(),
            0x11111111,
            Addresses.LINK_LOCAL,
            Addresses.gid(Addresses.LINK_LOCAL));
    send(left, message.data(source, 0, 8), 0);
    left.sends().pollOne().require(CqeOpcode.REQ, 0);
    right.receives().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 0);
  }

  // ---- inline data, and other transports

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 13, 28, 60})
  void inlineDataIsSignedWithItsPadding(int bytes) {
    RawPair pair = pair(0);
    receive(pair.right(), 0, 0);
    send(pair.left(), Wqe.send().inline(source.bytes(0, bytes)), 0);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(target.bytes(0, bytes)).isEqualTo(source.bytes(0, bytes));
    send(pair.left(), Wqe.send().inline(source.bytes(0, bytes)), 0x40);
    pair.left().sends().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 1 + bytes / 45);
  }

  @Test
  void anExtendedInitiatorChecksTheSignatureOverTheXrcSegment() {
    HcaObject xrcd = RawXrcSrq.domain(rig);
    RawXrcSrq srq = new RawXrcSrq(rig, xrcd);
    RawQp initiator =
        rig.qp(
            RawXrcSrq.initiatorPlan(rig.cq(4))
                .change(
                    qpc -> qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED).set(Qpc.WQ_SIGNATURE, true)));
    RawPair pair = RawPair.connect(initiator, RawXrcSrq.target(rig, xrcd), new Settings());
    send(initiator, Wqe.write(target, 0).xrc(srq.number()).data(source, 0, 8), 0);
    initiator.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
    send(pair.left(), Wqe.write(target, 8).xrc(srq.number()).data(source, 0, 8), 1);
    initiator.sends().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 1, "signature");
  }

  @Test
  void aPoolWithSignaturesTakesUnsignedReceives() {
    RawPool pool = new RawPool(rig, false, 2, wq -> wq.set(Wq.WQ_SIGNATURE, true));
    RawPair pair =
        RawPair.connect(
            rig.qp(rig.cq(4)), rig.qp(new RawQpPlan(rig.cq(4)).pool(pool)), new Settings());
    pool.write(0, 0, target.address(0), 64, target.key());
    pool.post(1);
    pair.left().post(Wqe.send().data(source, 0, 8));
    rig.settle();
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aDynamicInitiatorChecksTheSignatureAndItsStreamFails(int logStreams) {
    RawDct dct = new RawDct(rig, rig.cq(4), new RawPool(rig, false, 2));
    RawQp initiator =
        rig.qp(
            new RawQpPlan(rig.cq(4))
                .initiator()
                .sizes(5, 0, 4)
                .change(
                    qpc ->
                        qpc.set(Qpc.WQ_SIGNATURE, true)
                            .set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, logStreams)
                            .set(Qpc.LOG_NUM_DCI_ERRORED_STREAMS, logStreams)));
    initiator.connect(0, new Settings().mtu(3));
    send(initiator, write(dct, 1), 0);
    initiator.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
    send(initiator, write(dct, 2), 1);
    initiator.sends().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 2, "signature");
    send(initiator, write(dct, 1), 0);
    assertThat(initiator.sends().pollOne().isError()).isEqualTo(logStreams == 0);
  }

  private Wqe write(RawDct to, int stream) {
    return Wqe.dynamic(WqeOpcode.RDMA_WRITE, to)
        .remote(target.address(0), target.key())
        .data(source, 0, 8)
        .stream(stream);
  }

  @ParameterizedTest
  @CsvSource({"0, 0xc0", "6, 0xc6"})
  void signaturesOfLibmlx5AreRight(int index, String signature) {
    // rq_recv_signature: rq.maxsge1.sge1 of QP 0x0a1b01.
    var memory = new LoneChip().memory(64);
    Memory.putLong(memory.address(0), (long) Integer.decode(signature) << 24);
    Memory.putLong(memory.address(8), 0);
    Memory.putLong(memory.address(16), 0x00000040_00a0b000L);
    Memory.putLong(memory.address(24), 0x00007f1122330000L);
    long sum = Signatures.sum(memory.address(0), memory.address(32));
    assertThat(Signatures.isRight(sum ^ 0x0a1b01 ^ index)).isTrue();
    assertThat(Signatures.isRight(sum ^ 0x0a1b01 ^ index ^ 1)).isFalse();
  }
}
