package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.LoneEnd;
import dev.bluebell.softnic.rig.LoneMemory;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.translation.MemoryKey;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Base of the tests of an RC requester: one requester, and the responses of its peer. */
abstract class RequesterRig {
  static final int PSN = LoneEnd.PSN;
  static final int MTU = LoneEnd.MTU;

  /** Code 14: 4.096 µs · 2^14. */
  static final int TIMEOUT_CODE = 14;

  static final long TIMEOUT = 67_108_864;
  final LoneEnd end = new LoneEnd(ServiceType.RC);
  final LoneMemory local =
      end.chip.memory(1 << 16, MemoryKey.LOCAL_READ | MemoryKey.LOCAL_WRITE).count(0, 1 << 15);
  final LoneMemory answer = end.chip.memory(1 << 13).count(0, 1 << 13);
  final RcRequester requester = end.requester();

  @BeforeEach
  void connect() {
    restart();
  }

  /** Starts with the attributes that the end now has. */
  void restart() {
    end.connect();
    requester.start(end.qpc, TIMEOUT_CODE);
    requester.configure(end.qpc);
  }

  void post(Wqe... wqes) {
    end.sends.post(wqes);
  }

  void postAndWork(Wqe... wqes) {
    post(wqes);
    requester.work();
  }

  List<String> sent() {
    return end.route.texts();
  }

  Wqe send(int bytes) {
    return Wqe.send().data(local.address(0), bytes, local.key());
  }

  Wqe write(int bytes) {
    return new Wqe(WqeOpcode.RDMA_WRITE)
        .remote(0x5000, 0x77)
        .data(local.address(0), bytes, local.key());
  }

  Wqe read(int bytes) {
    return new Wqe(WqeOpcode.RDMA_READ)
        .remote(0x5000, 0x77)
        .data(local.address(1 << 15), bytes, local.key());
  }

  Wqe fetchAdd() {
    return new Wqe(WqeOpcode.ATOMIC_FA)
        .remote(0x5008, 0x77)
        .words(3, 0)
        .data(local.address(1 << 15), 8, local.key());
  }

  static Wqe fenced(Wqe wqe, int fence) {
    return wqe.control(fence | ControlSegment.CE_ALWAYS);
  }

  byte[] landed(int bytes) {
    return local.bytes(1 << 15, bytes);
  }

  void respond(int operation, int psn, int syndrome, int msn) {
    Packet response = end.packet(ServiceType.RC, operation, psn);
    response.syndrome = syndrome;
    response.msn = msn;
    requester.receive(response);
  }

  void ack(int psn) {
    respond(BthOpcode.ACKNOWLEDGE, psn, Aeth.ACK, 1);
  }

  void nak(int psn, int code) {
    respond(BthOpcode.ACKNOWLEDGE, psn, code, 1);
  }

  void readResponse(int psn, int packets, int offset, int bytes) {
    Packet response = end.packet(ServiceType.RC, BthOpcode.READ_RESPONSE_ONLY, psn);
    response.packets = packets;
    requester.receive(LoneEnd.carrying(response, answer, offset, bytes));
  }

  void atomicResponse(int psn, long original) {
    Packet response = end.packet(ServiceType.RC, BthOpcode.ATOMIC_ACKNOWLEDGE, psn);
    response.original = original;
    requester.receive(response);
  }

  /** Advances the clock, and runs the timer if its deadline has come. */
  void passTo(long nanos) {
    end.chip.at(nanos);
    if (requester.deadline() <= nanos) {
      requester.onTimer();
      requester.work();
    }
  }
}
