package dev.bluebell.softnic.transport.dynamic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.rig.LoneChip;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.translation.MemoryKey;
import org.junit.jupiter.api.Test;

/** The sessions of a DC target: their limit, and the packets that begin one. */
class DcSessionsTest {
  private static final int DCTN = 0x20000;
  private static final int FIRST_QPN = 0x1000;
  private static final long KEY = 5;

  private final LoneEnd end = new LoneEnd(ServiceType.DCI);
  private final LoneMemory memory =
      end.chip.memory(1 << 13, MemoryKey.REMOTE_WRITE | MemoryKey.LOCAL_WRITE);
  private final LoneMemory data = end.chip.memory(256).count(0, 256);
  private final DcTarget target =
      new DcTarget(end.chip.chip(), end.route, DCTN, context(), end.source, 4);

  private static byte[] context() {
    return View.of(Dctc.STRUCTURE)
        .set(Dctc.DC_ACCESS_KEY, KEY)
        .set(Dctc.PD, LoneChip.PD)
        .set(Dctc.MTU, 1)
        .set(Dctc.MY_ADDR_INDEX, Addresses.LINK_LOCAL)
        .set(Dctc.RWE, true)
        .bytes();
  }

  /** A part of an RDMA WRITE of 512 bytes, or all of one of 256. */
  private Packet write(int operation, int qpn, int session, int sessionPsn, int psn) {
    Packet packet = end.packet(ServiceType.DCI, operation, psn);
    packet.destinationQpn = DCTN;
    packet.sourceQpn = qpn;
    packet.destinationGidHigh = LoneEnd.LOCAL.high();
    packet.destinationGidLow = LoneEnd.LOCAL.low();
    packet.dcKey = KEY;
    packet.session = session;
    packet.sessionPsn = sessionPsn;
    packet.address = memory.address(0);
    packet.rkey = memory.key();
    packet.length = BthOpcode.isLast(operation) ? 256 : 512;
    return LoneEnd.carrying(packet, data, 0, 256);
  }

  private String whole(int qpn, int session, int psn) {
    return target.receive(write(BthOpcode.WRITE_ONLY, qpn, session, psn, psn));
  }

  @Test
  void anIdleSessionIsForgottenForANewSession() {
    for (int i = 0; i <= DcSessions.MOST; i++) {
      assertThat(whole(FIRST_QPN + i, i + 1, 100)).isEmpty();
    }
    // The first session was dropped, and continues at its PSN.
    assertThat(whole(FIRST_QPN, 1, 101)).isEmpty();
    assertThat(target).hasToString("DCT 0x20000: active, 1024 sessions");
  }

  @Test
  void busySessionsAreKept() {
    for (int i = 0; i < DcSessions.MOST; i++) {
      assertThat(target.receive(write(BthOpcode.WRITE_FIRST, FIRST_QPN + i, i + 1, 100, 100)))
          .isEmpty();
    }
    String why = whole(FIRST_QPN + DcSessions.MOST, 5000, 100);
    Heard.add(why);
    assertThat(why)
        .isEqualTo("DCT 0x20000 already serves 1024 initiators, and none of them is idle");
    assertThat(target.receive(leave(FIRST_QPN + 7, 8))).isEmpty();
    assertThat(whole(FIRST_QPN + DcSessions.MOST, 5000, 100)).isEmpty();
    assertThat(whole(FIRST_QPN + 8, 6000, 100)).as("a new session of a known initiator").isEmpty();
  }

  private Packet leave(int qpn, int session) {
    return write(Opcodes.DISCONNECT, qpn, session, 0, 0);
  }

  @Test
  void aLateRequestOfAnEarlierSessionIsDropped() {
    assertThat(whole(FIRST_QPN, 7, 100)).isEmpty();
    assertThat(target.receive(leave(FIRST_QPN, 7))).isEmpty();
    String why = whole(FIRST_QPN, 7, 100);
    Heard.add(why);
    assertThat(why).isEqualTo("its session with DCT 0x20000 is over");
    assertThat(whole(FIRST_QPN, 6, 100)).isEqualTo(why);
    assertThat(whole(FIRST_QPN, 8, 100)).isEmpty();
    assertThat(whole(FIRST_QPN, 7, 100)).isEqualTo(why);
  }

  @Test
  void theEndOfAnEarlierSessionEndsNothing() {
    assertThat(whole(FIRST_QPN, 7, 100)).isEmpty();
    assertThat(target.receive(leave(FIRST_QPN, 6))).isEmpty();
    assertThat(target.receive(leave(FIRST_QPN + 1, 7))).isEmpty();
    Packet stranger = leave(FIRST_QPN, 7);
    stranger.dcKey = 0;
    assertThat(target.receive(stranger)).isEmpty();
    assertThat(target.violations()).isZero();
    assertThat(whole(FIRST_QPN, 7, 101)).isEmpty();
    assertThat(target).hasToString("DCT 0x20000: active, 1 session");
  }

  @Test
  void aMessageThatIsCutOffFlushesItsReceive() {
    end.receives.post(memory, 0, 1024);
    end.receives.post(memory, 1024, 1024);
    Packet first = write(BthOpcode.SEND_FIRST, FIRST_QPN, 7, 100, 100);
    assertThat(target.receive(first)).isEmpty();
    assertThat(whole(FIRST_QPN, 8, 500)).isEmpty();
    expectFlushed(0, "its initiator began another session");
    assertThat(target.receive(write(BthOpcode.SEND_FIRST, FIRST_QPN, 8, 500, 501))).isEmpty();
    target.drain();
    expectFlushed(1, "its initiator was cut off, because the target is drained");
  }

  private void expectFlushed(int index, String why) {
    String flushed =
        "RESP_ERR %d: WR_FLUSH_ERR 0xf9, flushed, because the session of QP 0x1000 with DCT 0x20000 is in ERR: %s"
            .formatted(index, why);
    Heard.add(flushed);
    assertThat(end.receivesCompleted()).containsExactly(flushed);
  }

  @Test
  void numbersOfSessionsWrap() {
    assertThat(whole(FIRST_QPN, Integer.MAX_VALUE, 100)).isEmpty();
    assertThat(whole(FIRST_QPN, Integer.MIN_VALUE, 100)).isEmpty();
    assertThat(whole(FIRST_QPN, Integer.MAX_VALUE, 101)).isNotEmpty();
  }

  @Test
  void streamsOfOneInitiatorHaveSessionsOfTheirOwn() {
    assertThat(whole(FIRST_QPN, 1, 100)).isEmpty();
    Packet other = write(BthOpcode.WRITE_ONLY, FIRST_QPN, 2, 500, 500);
    other.stream = 1;
    assertThat(target.receive(other)).isEmpty();
    assertThat(whole(FIRST_QPN, 1, 101)).isEmpty();
    assertThat(target).hasToString("DCT 0x20000: active, 2 sessions");
  }
}
