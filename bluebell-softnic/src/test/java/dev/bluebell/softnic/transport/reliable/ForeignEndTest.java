package dev.bluebell.softnic.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.LoneProcess;
import dev.bluebell.softnic.rig.Sent;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.translation.MemoryKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requester and responder move payload of another process, and survive its end. */
class ForeignEndTest {
  private static final int ALL =
      MemoryKey.LOCAL_READ
          | MemoryKey.LOCAL_WRITE
          | MemoryKey.REMOTE_READ
          | MemoryKey.REMOTE_WRITE
          | MemoryKey.REMOTE_ATOMIC;
  private static final int PSN = LoneEnd.PSN;

  private final LoneEnd end = new LoneEnd(ServiceType.RC);
  private final LoneProcess process = new LoneProcess(end.chip, 4096);
  private final LoneMemory foreign = process.register(end.chip, ALL);
  private final LoneMemory data = end.chip.memory(4096).count(0, 4096);
  private final RcResponder responder = new RcResponder(end.both(), end.source, null, null);
  private final RcRequester requester = end.requester();
  private final String ended =
      "the process that registered %skey 0x" + Integer.toHexString(foreign.key()) + " has ended";

  ForeignEndTest() {
    end.connect();
    requester.start(end.qpc, 0);
    requester.configure(end.qpc);
    responder.start(end.qpc);
    responder.configure(end.qpc);
  }

  private void request(int operation, int psn, int bytes) {
    request(operation, psn, bytes, 8);
  }

  private void request(int operation, int psn, int bytes, int offset) {
    Packet request = end.packet(ServiceType.RC, operation, psn);
    request.acknowledge = true;
    request.address = foreign.address(offset);
    request.rkey = foreign.key();
    request.length = BthOpcode.isAnswered(operation) ? 8 : bytes;
    request.swapAdd = 5;
    LoneEnd.carrying(request, data, 0, bytes);
    assertThat(responder.receive(request)).isEmpty();
  }

  private List<Sent> answers() {
    responder.respond();
    return end.route.take();
  }

  private Sent expectRefusal(String code) {
    Sent nak = answers().getFirst();
    assertThat(nak.toString()).contains("syndrome " + code);
    assertThat(nak.headers().explanation)
        .isEqualTo(
            "QP 0x40 refused the request at PSN 0x0003e8: "
                + ended.formatted(code.equals("0x63") ? "l" : "r"));
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
    return nak;
  }

  // ---- the responder

  @Test
  void aWriteLandsInAnotherProcess() {
    request(BthOpcode.WRITE_ONLY, PSN, 4);
    assertThat(process.inside().bytes(7, 6)).containsExactly(0, 1, 2, 3, 4, 0);
    assertThat(answers()).hasToString("[ACKNOWLEDGE PSN 1000+1, syndrome 0x1f, MSN 1]");
  }

  @Test
  void aWriteIntoAProcessThatIsGoneIsRefused() {
    process.end();
    request(BthOpcode.WRITE_ONLY, PSN, 4);
    Sent unused = expectRefusal("0x62");
  }

  @Test
  void memoryThatItsProcessUnmappedIsNotTakenForItsEnd() {
    process.unmap();
    request(BthOpcode.WRITE_ONLY, PSN, 4);
    assertThat(answers().getFirst().headers().explanation)
        .contains("rkey", "it unmapped or protected the memory")
        .doesNotContain("ended");
  }

  @Test
  void aSendLandsInAnotherProcess() {
    end.receives.post(foreign, 0, 100);
    request(BthOpcode.SEND_ONLY, PSN, 4);
    assertThat(process.inside().bytes(0, 5)).containsExactly(1, 2, 3, 4, 0);
    assertThat(end.receivesCompleted()).containsExactly("RESP_SEND 0, 4 bytes");
  }

  @Test
  void aSendIntoAProcessThatIsGoneFailsTheReceive() {
    end.receives.post(foreign, 0, 100);
    process.end();
    request(BthOpcode.SEND_ONLY, PSN, 4);
    Sent refused = expectRefusal("0x63");
    Heard.add(refused.headers().explanation);
    Heard.add(refused.headers().explanationToStrangers);
    assertThat(refused.headers().explanationToStrangers)
        .isEqualTo("QP 0x40 refused the request at PSN 0x0003e8: its process has ended");
    assertThat(end.receivesCompleted().getFirst()).startsWith("RESP_ERR 0: LOCAL_PROT_ERR 0x32");
  }

  @Test
  void aReadFetchesFromAnotherProcess() {
    process.inside().count(8, 8);
    request(BthOpcode.READ_REQUEST, PSN, 0);
    List<Sent> answers = answers();
    assertThat(answers).hasToString("[READ_RESPONSE_ONLY PSN 1000+1, 8 bytes, MSN 1]");
    assertThat(answers.getFirst().data()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void aReadOfAProcessThatIsGoneIsRefused() {
    request(BthOpcode.READ_REQUEST, PSN, 0);
    process.end();
    Sent unused = expectRefusal("0x62");
  }

  @Test
  void atomicsExecuteInAnotherProcess() {
    Memory.putNativeLong(process.inside().address(8), 40);
    request(BthOpcode.FETCH_ADD, PSN, 0);
    assertThat(answers()).hasToString("[ATOMIC_ACKNOWLEDGE PSN 1000+1, result 40, MSN 1]");
    assertThat(Memory.getNativeLong(process.inside().address(8))).isEqualTo(45);
    // The comparison with 0 fails.
    request(BthOpcode.COMPARE_SWAP, PSN + 1, 0);
    assertThat(answers()).hasToString("[ATOMIC_ACKNOWLEDGE PSN 1001+1, result 45, MSN 2]");
    assertThat(Memory.getNativeLong(process.inside().address(8))).isEqualTo(45);
    request(BthOpcode.COMPARE_SWAP, PSN + 2, 0, 16);
    assertThat(answers()).hasToString("[ATOMIC_ACKNOWLEDGE PSN 1002+1, result 0, MSN 3]");
    assertThat(Memory.getNativeLong(process.inside().address(16))).isEqualTo(5);
    assertThat(Memory.getNativeLong(process.inside().address(8))).isEqualTo(45);
  }

  @Test
  void anAtomicInAProcessThatIsGoneIsRefused() {
    process.end();
    request(BthOpcode.FETCH_ADD, PSN, 0);
    Sent unused = expectRefusal("0x62");
  }

  @Test
  void anAtomicTooManyIsNotExecutedThere() {
    for (int i = 0; i < 5; i++) {
      request(BthOpcode.FETCH_ADD, PSN + i, 0);
    }
    assertThat(Memory.getNativeLong(process.inside().address(8))).isEqualTo(20);
    assertThat(answers()).hasSize(5).last().asString().contains("syndrome 0x61");
  }

  // ---- the requester

  @Test
  void aSendGathersFromAnotherProcess() {
    process.inside().count(0, 8);
    end.sends.post(
        Wqe.send()
            .data(foreign.address(2), 3, foreign.key())
            .data(foreign.address(0), 2, foreign.key()));
    requester.work();
    assertThat(end.route.take().getFirst().data()).containsExactly(3, 4, 5, 1, 2);
  }

  @Test
  void aSendFromAProcessThatIsGoneFails() {
    process.end();
    end.sends.post(Wqe.send().data(foreign.address(0), 3, foreign.key()));
    requester.work();
    assertThat(end.route.take()).isEmpty();
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 0 SEND: LOCAL_PROT_ERR 0x51, QP 0x40 send WQE 0 (opcode SEND, ds 2): "
                + ended.formatted("l"));
  }

  private void postRead() {
    end.sends.post(
        new Wqe(WqeOpcode.RDMA_READ)
            .remote(0x5000, 0x77)
            .data(foreign.address(0), 4, foreign.key()));
    requester.work();
  }

  private void answerRead() {
    Packet response = end.packet(ServiceType.RC, BthOpcode.READ_RESPONSE_ONLY, PSN);
    requester.receive(LoneEnd.carrying(response, data, 0, 4));
  }

  @Test
  void aReadLandsInAnotherProcess() {
    postRead();
    answerRead();
    assertThat(process.inside().bytes(0, 5)).containsExactly(1, 2, 3, 4, 0);
    assertThat(end.sendsCompleted()).containsExactly("REQ 0 RDMA_READ, 4 bytes");
  }

  @Test
  void aReadIntoAProcessThatIsGoneFails() {
    postRead();
    process.end();
    answerRead();
    assertThat(end.sendsCompleted())
        .containsExactly(
            "REQ_ERR 0 RDMA_READ: LOCAL_PROT_ERR 0x51, QP 0x40 send WQE 0 (opcode RDMA_READ, ds 3):"
                + " "
                + ended.formatted("l"));
  }
}
