package dev.bluebell.softnic.transport.reliable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.Sent;
import dev.bluebell.softnic.translation.MemoryKey;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Base of the tests of an RC responder: one responder, and the requests of its peer. */
abstract class ResponderRig {
  static final int PSN = LoneEnd.PSN;
  static final int MTU = LoneEnd.MTU;
  static final int REMOTE =
      MemoryKey.REMOTE_READ | MemoryKey.REMOTE_WRITE | MemoryKey.REMOTE_ATOMIC;
  final LoneEnd end = new LoneEnd(ServiceType.RC);
  final LoneMemory buffer = end.chip.memory(1 << 13, MemoryKey.LOCAL_WRITE);
  final LoneMemory memory = end.chip.memory(1 << 13, REMOTE);
  final LoneMemory data = end.chip.memory(1 << 13).count(0, 1 << 13);
  final RcResponder responder = new RcResponder(end.both(), end.source, null, null);

  @BeforeEach
  void connect() {
    restart();
  }

  void restart() {
    end.connect();
    responder.start(end.qpc);
    responder.configure(end.qpc);
  }

  Packet request(int operation, int psn, int bytes) {
    Packet request = end.packet(ServiceType.RC, operation, psn);
    request.acknowledge = BthOpcode.isLast(operation);
    request.packets = Math.max(1, (bytes + MTU - 1) / MTU);
    return LoneEnd.carrying(request, data, 0, bytes);
  }

  void send(int operation, int psn, int bytes) {
    assertThat(responder.receive(request(operation, psn, bytes))).isEmpty();
  }

  Packet writeRequest(int operation, int psn, int bytes, long offset, long length) {
    Packet write = request(operation, psn, bytes);
    write.address = memory.address(offset);
    write.rkey = memory.key();
    write.length = length;
    return write;
  }

  void write(int operation, int psn, int bytes, long offset, long length) {
    assertThat(responder.receive(writeRequest(operation, psn, bytes, offset, length))).isEmpty();
  }

  Packet readRequest(int psn, long offset, long length) {
    Packet read = request(BthOpcode.READ_REQUEST, psn, 0);
    read.address = memory.address(offset);
    read.rkey = memory.key();
    read.length = length;
    return read;
  }

  void read(int psn, long offset, long length) {
    assertThat(responder.receive(readRequest(psn, offset, length))).isEmpty();
  }

  void atomic(int operation, int psn, long offset, long swapAdd, long compare) {
    Packet atomic = readRequest(psn, offset, 8);
    atomic.opcode = operation;
    atomic.swapAdd = swapAdd;
    atomic.compare = compare;
    assertThat(responder.receive(atomic)).isEmpty();
  }

  List<String> answers() {
    responder.respond();
    return end.route.texts();
  }

  void expectAck(int psn, int msn) {
    assertThat(answers())
        .containsExactly("ACKNOWLEDGE PSN %d+1, syndrome 0x1f, MSN %d".formatted(psn, msn));
  }

  /** Expects the NAK of a refusal, which ends the connection. */
  void expectRefusal(int psn, int code, String why) {
    responder.respond();
    Sent nak = end.route.take().getLast();
    assertThat(nak.toString())
        .startsWith("ACKNOWLEDGE PSN %d+1, syndrome 0x%02x".formatted(psn, code));
    String sentence = "QP 0x40 refused the request at PSN 0x%06x: %s".formatted(psn, why);
    assertThat(nak.headers().explanation).isEqualTo(sentence);
    assertThat(end.life.state()).isEqualTo(QpState.ERR);
    assertThat(end.life.cause()).isEqualTo("flushed, because QP 0x40 is in ERR: " + sentence);
    assertThat(responder.respond()).isZero();
  }
}
